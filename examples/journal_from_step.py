"""
The oil film of a gudgeon pin, with its surfaces from a STEP file
=================================================================

A slider-crank starts with its gudgeon pin in the middle of the rod's small end. Inertia moves the pin through the oil,
and for every crank angle the gap between the two CAD faces is known at 96 × 33 points of the bore: its height, its rate
and the velocities of both walls. The bore has an oil hole, which the gap leaves out, and the pin is crowned by 12 µm.
The squeeze film resists along the line of centres only, so the pin is free to swing across it: the orbit shows it.

Needs OpenCASCADE: pip install gudgeon[cad]
"""

import tempfile
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import gudgeon as gd

crank, rod = 0.04, 0.14  # lengths [m]
pin_radius, clearance, crown = 0.010, 50e-6, 12e-6  # [m]
bore_length, pin_length, oil_hole = 0.024, 0.034, 0.0025  # lengths and the hole's radius [m]
omega = 3000 * 2 * np.pi / 60  # [rad/s]


def write_parts(path: Path) -> None:
    """The small end of the rod and the pin, as a CAD program would export them: an assembly in millimetres."""
    from OCP.BRepAdaptor import BRepAdaptor_Surface
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge, BRepBuilderAPI_MakeFace, BRepBuilderAPI_MakeWire
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder, BRepPrimAPI_MakeRevol
    from OCP.collections import Array1_gp_Pnt
    from OCP.Geom import Geom_BezierCurve
    from OCP.GeomAbs import GeomAbs_SurfaceType as Kind
    from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
    from OCP.Interface import Interface_Static
    from OCP.Message import Message
    from OCP.STEPCAFControl import STEPCAFControl_Writer
    from OCP.STEPControl import STEPControl_StepModelType
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDataStd import TDataStd_Name
    from OCP.TDocStd import TDocStd_Document
    from OCP.TopAbs import TopAbs_ShapeEnum
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopLoc import TopLoc_Location
    from OCP.TopoDS import TopoDS
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    mm = 1e3
    z, middle = gp_Dir(0, 0, 1), gp_Pnt(0, 0, 0)
    bore_radius, width, half = mm * (pin_radius + clearance), mm * bore_length, mm * pin_length / 2
    eye = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, -width / 2), z), 17.0, width).Shape()
    shank = BRepPrimAPI_MakeBox(gp_Pnt(-60, -7, -8), gp_Pnt(-5, 7, 8)).Shape()
    bore = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, -width), z), bore_radius, 2 * width).Shape()
    hole = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, 6), gp_Dir(1, 0, 0)), mm * oil_hole, 30.0).Shape()
    small_end = BRepAlgoAPI_Cut(BRepAlgoAPI_Cut(BRepAlgoAPI_Fuse(eye, shank).Shape(), bore).Shape(), hole).Shape()

    poles = Array1_gp_Pnt(1, 3)  # the profile r(z) = R − crown·(z/half)² is a parabola
    for k, (r, height) in enumerate(((-crown, -half), (crown, 0.0), (-crown, half))):
        poles.SetValue(k + 1, gp_Pnt(mm * (pin_radius + r), 0, height))
    top, bottom = gp_Pnt(0, 0, half), gp_Pnt(0, 0, -half)
    outline = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(Geom_BezierCurve(poles)).Edge())
    for start, end in ((poles.Value(3), top), (top, bottom), (bottom, poles.Value(1))):
        outline.Add(BRepBuilderAPI_MakeEdge(start, end).Edge())
    pin = BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(outline.Wire()).Face(), gp_Ax1(middle, z)).Shape()

    def text(string):
        return TCollection_ExtendedString(string, True)

    document = TDocStd_Document(text("BinXCAF"))
    tool = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    assembly = tool.NewShape()
    TDataStd_Name.Set_s(assembly, text("rod and pin"))
    place = gp_Trsf()
    place.SetTranslation(gp_Vec(mm * (crank + rod), 0, 0))
    for name, shape, kind, face_name in (
        ("rod", small_end, Kind.GeomAbs_Cylinder, "bore"),
        ("pin", pin, Kind.GeomAbs_SurfaceOfRevolution, "journal"),
    ):
        label = tool.AddShape(shape, False)
        TDataStd_Name.Set_s(label, text(name))
        TDataStd_Name.Set_s(tool.AddComponent(assembly, label, TopLoc_Location(place)), text(name))
        faces = TopExp_Explorer(shape, TopAbs_ShapeEnum.TopAbs_FACE)
        while faces.More():
            surface = BRepAdaptor_Surface(TopoDS.Face(faces.Current()))
            if surface.GetType() == kind and (name == "pin" or abs(surface.Cylinder().Radius() - bore_radius) < 1e-9):
                TDataStd_Name.Set_s(tool.AddSubShape(label, faces.Current()), text(face_name))
            faces.Next()
    tool.UpdateAssemblies()
    Message.DefaultMessenger_s().ChangePrinters().Clear()  # it reports what it writes, at length
    writer = STEPCAFControl_Writer()
    Interface_Static.SetIVal_s("write.stepcaf.subshapes.name", 1)
    writer.Transfer(document, STEPControl_StepModelType.STEPControl_AsIs)
    writer.Write(str(path))


with tempfile.TemporaryDirectory() as folder:
    write_parts(Path(folder) / "small_end.step")
    faces = gd.io.step.read(Path(folder) / "small_end.step")
print(faces)

at = (crank + rod, 0, 0)
system = gd.System(
    name="slider-crank",
    gravity=(0, -9.81, 0),
    bodies={
        "crank": gd.Body(mass=0.8, inertia=(4e-4, 4e-4, 6e-4), position=(crank / 2, 0, 0)),
        "rod": gd.Body(mass=0.5, inertia=(2e-5, 9e-4, 9e-4), position=(crank + rod / 2, 0, 0)),
        "piston": gd.Body(mass=0.4, inertia=(2e-4, 2e-4, 2e-4), position=at),
    },
    joints={
        "main bearing": gd.Revolute("ground", "crank", at=(0, 0, 0)),
        "crank pin": gd.Revolute("crank", "rod", at=(crank, 0, 0)),
        "gudgeon pin": gd.Spherical(
            "rod",
            "piston",  # carries the pin
            at=at,
            model=gd.Lubricated(socket_radius=pin_radius + clearance, ball_radius=pin_radius, viscosity=0.4),
        ),
        "cylinder": gd.Prismatic("ground", "piston", at=at, axis=(1, 0, 0)),
    },
    drives={"motor": gd.Drive("main bearing", f"{omega!r}*t")},
)
period = 2 * np.pi / omega
result = gd.simulate(system, period, sample=period / 360)

film = gd.Interface(reference=("rod", faces["bore"]), corresponding=("piston", faces["journal"]), grid=(96, 33))
history = gd.gap_history(result, film)
degrees = np.degrees(omega * history.time.values)
print(history.minimum_gap.attrs["long_name"], f"falls to {1e6 * float(history.minimum_gap.min()):.1f} µm")

# Closed form: a journal of radius r(z) whose centre is e off that of the bore, seen under the angle α from e
e = result.data.eccentricity.sel(joint="gudgeon pin").values
distance, towards = np.linalg.norm(e, axis=1), np.arctan2(e[:, 1], e[:, 0])
turn = result.data.orientation.sel(body="rod").values
rod_angle = 2 * np.arctan2(turn[:, 3], turn[:, 0])
centre = np.array([rod / 2, 0, 0])  # of the bore, from the rod's centre of mass
point = history.reference_point.values - centre
theta = np.arctan2(point[:, 0, 1], point[:, 0, 0])  # round the bore, in the rod
height = point[0, :, 2]
radius = pin_radius - crown * (2 * height / pin_length) ** 2
alpha = (theta + rod_angle[:, None] - towards[:, None])[:, :, None]
off = distance[:, None, None]
closed_form = pin_radius + clearance - off * np.cos(alpha) - np.sqrt(radius**2 - (off * np.sin(alpha)) ** 2)
textbook = clearance - off * np.cos(alpha) + (pin_radius - radius)
gap = history.gap.values
print(f"gap within {np.nanmax(np.abs(gap - closed_form)):.1e} m of the exact journal,", end=" ")
print(f"within {1e6 * np.nanmax(np.abs(gap - textbook)):.3f} µm of c − e cos α")

# Picture
shown = np.arange(45, 361, 45)
figure = Figure(figsize=(11, 8.2), layout="constrained")
strip, below = figure.subfigures(2, 1, height_ratios=(1.25, 1))
panels = strip.subplots(2, 4, sharex=True, sharey=True)
order = np.argsort(theta)
along = np.degrees(theta[order])
image = None
for panel, sample in zip(panels.flat, shown, strict=True):
    panel.set_facecolor("0.75")
    image = panel.pcolormesh(along, 1e3 * height, 1e6 * gap[sample][order].T, cmap="viridis", vmin=15, vmax=90)
    i = int(np.flatnonzero(history.xi1.values == float(history.minimum_xi1[sample]))[0])
    lines = np.arange(10, 100, 10)
    panel.contour(along, 1e3 * height, 1e6 * gap[sample][order].T, lines, colors="w", linewidths=0.5, alpha=0.6)
    j = int(np.flatnonzero(history.xi2.values == float(history.minimum_xi2[sample]))[0])
    panel.plot(np.degrees(theta[i]), 1e3 * height[j], "w+", ms=11, mew=2, clip_on=False)
    panel.set_title(f"crank at {degrees[sample]:.0f}°: {1e6 * float(history.minimum_gap[sample]):.1f} µm", fontsize=10)
    panel.set(xticks=(-90, 0, 90), xlim=(-180, 180), ylim=(-500 * bore_length, 500 * bore_length))
for panel in panels[1]:
    panel.set_xlabel("round the bore [degrees]")
for panel in panels[:, 0]:
    panel.set_ylabel("along the pin [mm]")
strip.colorbar(image, ax=panels, label="gap [µm]", shrink=0.9)
strip.suptitle("Gap between rod and gudgeon pin, unrolled; + thinnest place, grey: oil hole", fontsize=12)

curve, orbit = below.subplots(1, 2, width_ratios=(2.4, 1))
curve.plot(degrees, 1e6 * history.minimum_gap, color="C0")
curve.plot(degrees[shown], 1e6 * history.minimum_gap[shown], "o", color="C3")
curve.set(xlabel="crank angle [degrees]", ylabel="minimum film [µm]", xlim=(0, 360), xticks=range(0, 361, 45))
curve.set_ylim(bottom=0)
curve.grid(alpha=0.3)
orbit.plot(*(1e6 * e[:, :2].T), color="C0")
orbit.plot(*(1e6 * e[shown, :2].T), "o", color="C3")
circle = np.linspace(0, 2 * np.pi, 200)
orbit.plot(1e6 * clearance * np.cos(circle), 1e6 * clearance * np.sin(circle), color="0.4", lw=1)
orbit.text(0, 1.04e6 * clearance, "clearance", ha="center", va="bottom", color="0.4")
orbit.set(ylim=(-58, 62))
orbit.set(aspect="equal", xlabel="pin's centre in the bore, x [µm]", ylabel="y [µm]")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/journal_from_step.png", dpi=120)

assert faces["bore"].hollow and faces["journal"].kind == "revolution"
assert np.nanmax(np.abs(gap - closed_form)) < 1e-14
assert np.nanmax(np.abs(gap - textbook)) < 1.01 * distance.max() ** 2 / (2 * pin_radius)  # what the textbook leaves out
# the rate: with s = R_b − h, |s u − e| is the pin's radius at all times, u being fixed in the rod
data = result.data
spin = data.angular_velocity.sel(body="rod", axis="z").values
arm = rod / 2 * np.stack([-np.sin(rod_angle), np.cos(rod_angle)], axis=1) * spin[:, None]
e_rate = (data.velocity.sel(body="piston") - data.velocity.sel(body="rod")).values[:, :2] - arm
angle = theta + rod_angle[:, None]
u, u_rate = np.stack([np.cos(angle), np.sin(angle)]), spin[:, None] * np.stack([-np.sin(angle), np.cos(angle)])
s, e_u, e_v = pin_radius + clearance - closed_form, e[:, :2].T[:, :, None], e_rate.T[:, :, None]
along_u, along_rate = (e_u * u).sum(axis=0)[:, :, None], (e_u * u_rate).sum(axis=0)[:, :, None]
across = s * (e_v * u).sum(axis=0)[:, :, None] - (e_u * e_v).sum(axis=0)[:, :, None]
closed_rate = -(s * along_rate + across) / (s - along_u)
assert np.nanmax(np.abs(history.gap_rate.values - closed_rate)) < 1e-12 * omega
# nothing is lost but the oil hole: its share of the bore's area
missing = float((history.reason[0] == gd.nurbs.Reason.REFERENCE_TRIMMED).mean())
assert np.isnan(gap[0]).mean() == missing
assert abs(missing - np.pi * oil_hole**2 / (2 * np.pi * pin_radius * bore_length)) < 0.005
# the least film of the grid is that of the middle section, c − e, to the spacing of the grid
assert np.abs(history.minimum_gap.values - (clearance - distance)).max() < distance.max() * (np.pi / 96) ** 2
