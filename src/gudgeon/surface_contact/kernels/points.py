"""One point of the reference surface: does it touch, and if so, where and how fast.

All is in the axes of the corresponding body c, from its joint point. The relative motion is thirty numbers: r's axes
and joint point seen from c, the velocity field v_c(x) − v_r(x) = u + ω × x, and c's axes in the world.

Most points are far from touching and need not be looked at: a point that is nearer than d to a place from which it was
the distance d to c's surface is not through it. d is at least the distance from the ball of radius Patches.reach that
touches the surface where the line meets it and holds none of it. A point remembers several such places, its anchors.
What is found does not depend on the anchors. Newton's method starts from places that change only when a solver has
accepted a step (`keep_places`), so that the same motion has the same force to the last bit until then.
"""

from __future__ import annotations

from math import cos, inf, sin, sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import BALL_FRAME, ECCENTRICITY, FRAME, OMEGA_BALL, OMEGA_SOCKET, RATE_OF, TURN
from gudgeon.kernels.kinematics.rotation import cross
from gudgeon.nurbs.kernels.gap import FOUND, find
from gudgeon.surface_contact.kernels.layout import ANCHORS, HIGH, LOW, NEXT_ANCHOR, REFERENCE_ON_BALL, SIDE

# places in Points.pose
TURNED = 0  # 9, rotation from r's to c's axes
SHIFTED = 9  # 3, r's joint point from c's, c's axes [m]
SPEED = 12  # 3, u [m/s]
SPIN = 15  # 3, ω [rad/s]
WORLD = 18  # 9, rotation from c's axes to the world
BALL_AT = 27  # 3, ball's joint point from c's, c's axes [m]


@inlined
def turn_about(x, y, z, motion, c):
    """Column c of the ball's axes, turned by the small rotation vector (x, y, z)."""
    px, py, pz = motion[BALL_FRAME + c], motion[BALL_FRAME + 3 + c], motion[BALL_FRAME + 6 + c]
    angle = sqrt(x * x + y * y + z * z)
    a, b = 1.0 - angle * angle / 6.0, 0.5 - angle * angle / 24.0  # sin θ/θ, (1 − cos θ)/θ²
    if angle > 1e-3:
        a, b = sin(angle) / angle, (1.0 - cos(angle)) / (angle * angle)
    qx, qy, qz = cross(x, y, z, px, py, pz)
    sx, sy, sz = cross(x, y, z, qx, qy, qz)
    return px + a * qx + b * sx, py + a * qy + b * sy, pz + a * qz + b * sz


@called
def set_pose(p, motion):
    """The relative motion from a joint's line of `local`."""
    pose = p.pose
    on_ball = p.settings[REFERENCE_ON_BALL] != 0.0
    ex, ey, ez = motion[ECCENTRICITY], motion[ECCENTRICITY + 1], motion[ECCENTRICITY + 2]
    vx, vy, vz = motion[RATE_OF], motion[RATE_OF + 1], motion[RATE_OF + 2]
    ix, iy, iz = motion[OMEGA_SOCKET], motion[OMEGA_SOCKET + 1], motion[OMEGA_SOCKET + 2]
    jx, jy, jz = motion[OMEGA_BALL], motion[OMEGA_BALL + 1], motion[OMEGA_BALL + 2]
    if on_ball:  # c is the socket; velocities at its joint point
        ux, uy, uz = cross(jx, jy, jz, ex, ey, ez)
        ux, uy, uz = ux - vx, uy - vy, uz - vz
        wx, wy, wz = ix - jx, iy - jy, iz - jz
    else:
        ux, uy, uz = cross(ix, iy, iz, ex, ey, ez)
        ux, uy, uz = vx - ux, vy - uy, vz - uz
        wx, wy, wz = jx - ix, jy - iy, jz - iz
        ex, ey, ez = -ex, -ey, -ez
    for c in range(3):
        bx, by, bz = turn_about(motion[TURN], motion[TURN + 1], motion[TURN + 2], motion, c)
        sx, sy, sz = motion[FRAME + c], motion[FRAME + 3 + c], motion[FRAME + 6 + c]
        if on_ball:
            bx, by, bz, sx, sy, sz = sx, sy, sz, bx, by, bz
        pose[WORLD + c], pose[WORLD + 3 + c], pose[WORLD + 6 + c] = bx, by, bz
        pose[SHIFTED + c] = bx * ex + by * ey + bz * ez
        pose[SPEED + c] = bx * ux + by * uy + bz * uz
        pose[SPIN + c] = bx * wx + by * wy + bz * wz
        pose[BALL_AT + c] = pose[SHIFTED + c] if on_ball else 0.0
    for c in range(3):  # c's axis c · r's axis d
        for d in range(3):
            x = 0.0
            for g in range(3):
                other = motion[FRAME + 3 * g + d]
                x += pose[WORLD + 3 * g + c] * other
            pose[TURNED + 3 * c + d] = x
    if on_ball:
        for d in range(3):
            bx, by, bz = turn_about(motion[TURN], motion[TURN + 1], motion[TURN + 2], motion, d)
            for c in range(3):
                pose[TURNED + 3 * c + d] = pose[WORLD + c] * bx + pose[WORLD + 3 + c] * by + pose[WORLD + 6 + c] * bz


@inlined
def turned(pose, at, x, y, z):
    """A vector times the rotation at `at`."""
    return (
        pose[at] * x + pose[at + 1] * y + pose[at + 2] * z,
        pose[at + 3] * x + pose[at + 4] * y + pose[at + 5] * z,
        pose[at + 6] * x + pose[at + 7] * y + pose[at + 8] * z,
    )


@inlined
def place_of(p, q):
    """Point q of the reference in c's axes."""
    frame, pose = p.frame, p.pose
    x, y, z = turned(pose, TURNED, frame[q, 0, 0], frame[q, 0, 1], frame[q, 0, 2])
    return x + pose[SHIFTED], y + pose[SHIFTED + 1], z + pose[SHIFTED + 2]


@inlined
def is_farther(p, q, x, y, z, distance):
    """Is point q at (x, y, z) known to be outside c and farther than `distance` ≥ 0 from its surface?"""
    anchor = p.anchor
    last = int(anchor[q, NEXT_ANCHOR]) + ANCHORS - 1  # the newest first
    for k in range(ANCHORS):
        a = 4 * ((last - k) % ANCHORS)
        left = anchor[q, a + 3] - distance
        if left > 0.0:
            dx, dy, dz = x - anchor[q, a], y - anchor[q, a + 1], z - anchor[q, a + 2]
            if dx * dx + dy * dy + dz * dz < left * left:
                return True
    return False


@called
def look_at(m, w, p, q, x, y, z):
    """Find c's surface from point q at (x, y, z): (found, h, g); the line stays in w.line."""
    frame, pose, line = p.frame, p.pose, w.line
    line[0], line[1], line[2] = x, y, z
    line[3], line[4], line[5] = turned(pose, TURNED, frame[q, 2, 0], frame[q, 2, 1], frame[q, 2, 2])
    line[6], line[7], line[8] = turned(pose, TURNED, frame[q, 1, 0], frame[q, 1, 1], frame[q, 1, 2])
    line[9], line[10], line[11] = turned(pose, TURNED, frame[q, 3, 0], frame[q, 3, 1], frame[q, 3, 2])
    settings = p.settings
    reason, k, s, t, h, nx, ny, nz, slope = find(
        m, w, settings[SIDE], settings[LOW], settings[HIGH], p.patch[q, 0], p.local[q, 0], p.local[q, 1]
    )
    p.patch[q, 1] = k
    if reason != FOUND:
        return False, 0.0, 0.0, 0.0, 0.0
    p.local[q, 2], p.local[q, 3] = s, t
    cells = m.reach.shape[1]
    radius = m.reach[k, min(int(s * cells), cells - 1), min(int(t * cells), cells - 1)]
    facing = abs(slope)
    if 0.0 < h <= radius * facing:
        chord = 2.0 * radius * h * facing - h * h
        k = int(p.anchor[q, NEXT_ANCHOR])
        a = 4 * k
        p.anchor[q, a], p.anchor[q, a + 1], p.anchor[q, a + 2] = x, y, z
        p.anchor[q, a + 3] = chord / (radius + sqrt(radius * radius - chord))
        p.anchor[q, NEXT_ANCHOR] = (k + 1) % ANCHORS
    return True, h, nx / slope, ny / slope, nz / slope


@called
def keep_places(p):
    """Searches start from what was found last."""
    for q in range(p.patch.shape[0]):
        p.patch[q, 0] = p.patch[q, 1]
        p.local[q, 0], p.local[q, 1] = p.local[q, 2], p.local[q, 3]


@inlined
def velocity_at(pose, x, y, z):
    """v_c − v_r at (x, y, z)."""
    ux, uy, uz = cross(pose[SPIN], pose[SPIN + 1], pose[SPIN + 2], x, y, z)
    return ux + pose[SPEED], uy + pose[SPEED + 1], uz + pose[SPEED + 2]


@called
def least_gap(m, w, p):
    """The least gap of all points and its rate; a metre and 0 where no point has one."""
    best, rate = inf, 0.0
    first = p.least[0]
    for turn in range(p.frame.shape[0] + 1):
        q = first if turn == 0 else turn - 1  # what was least is probably still near it
        if p.reason[q] != FOUND or p.weight[q] == 0.0 or (turn > 0 and q == first):
            continue
        x, y, z = place_of(p, q)
        if is_farther(p, q, x, y, z, max(best, 0.0)):
            continue
        found, h, gx, gy, gz = look_at(m, w, p, q, x, y, z)
        if found and h < best:
            line = w.line
            ux, uy, uz = velocity_at(p.pose, x + h * line[3], y + h * line[4], z + h * line[5])
            best, rate = h, gx * ux + gy * uy + gz * uz
            p.least[0] = q
    if best == inf:
        return 1.0, 0.0
    return best, rate
