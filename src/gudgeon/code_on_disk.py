"""Where compiled code is kept on disk, and when it may be read again.

Numba's own cache looks at the date or the text of a function's own file, not of the files it calls, and reads no folder
that it may not write. Here code is known by a digest of everything it comes from, which is part of the files' names.
So it is never stale, however it got there (copied, installed, checked out), and never deleted because it looks old.

It is read from the first of these folders that has it, and written to the first that takes it:
1. `__pycache__` beside the source; also where that is read-only, made by an administrator with `gudgeon compile`
2. the folder in the environment variable NUMBA_CACHE_DIR; where that is set, nothing is written to 1
3. the user's cache folder, such as ~/.cache/numba
4. a folder of the user's own among the temporary files.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from errno import EACCES
from functools import cache, cached_property
from glob import escape
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

from llvmlite import binding
from numba.core import config as numba_config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.misc.appdirs import AppDirs

config: Any = numba_config  # has no types
PYTHON = f"py{sys.version_info.major}{sys.version_info.minor}{getattr(sys, 'abiflags', '')}"
LOST = "it is compiled again at every start"
DIGITS = 16  # of the digest, in the names of files
USER = os.getuid() if hasattr(os, "getuid") else None
TEMPORARY = Path(tempfile.gettempdir()) / ("gudgeon" if USER is None else f"gudgeon-{USER}")

_refused: dict[Path, str] = {}  # folders that cannot be written, and why
_noted: set[str] = set()


class CodeCache(FunctionCache):
    """What Numba asks for the compiled code of one function. `comes_from` is a digest of all that it is made from.

    `name` tells it from the other functions of its file. Code of the same name from other sources is deleted where new
    code is written. `plain` code calls nothing of Numba's libraries (linear algebra, random numbers, text …), which
    take longer to import than all kernels of a run to load: they are left out until something is compiled.
    """

    def __init__(self, function: FunctionType, name: str, comes_from: bytes, *, plain: bool = False):
        self._plain = plain
        self._name = repr(function)
        self._py_func = function
        self._impl: Any = _Implementation(function)
        self._called, self._comes_from = name, comes_from
        self._file = os.path.abspath(function.__code__.co_filename)
        self.enable()

    @cached_property
    def _source(self) -> Path:
        return _resolved(self._file)

    @cached_property
    def _code_name(self) -> str:
        return f"{self._source.stem}.{self._called}".replace("<", "").replace(">", "")

    @property
    def _versions(self) -> str:
        """The names of all files with this code from whatever sources."""
        return f"{escape(self._code_name)}-*.{PYTHON}*"

    @cached_property
    def _beside(self) -> Path:
        return self._source.parent / "__pycache__"

    @cached_property
    def _shared(self) -> list[Path]:
        folder = self._source.parent
        sub = f"{folder.name}_{hashlib.sha256(bytes(folder)).hexdigest()[:DIGITS]}"
        return [root / sub for root in _shared_folders()]

    @cached_property
    def _files(self) -> dict[Path, _Files]:
        base = f"{self._code_name}-{self._comes_from.hex()[:DIGITS]}.{PYTHON}"
        return {folder: _Files(str(folder), base, self._comes_from) for folder in (self._beside, *self._shared)}

    @property
    def cache_path(self) -> str:
        """The folder in which Numba would keep it."""
        return str(self._beside)

    def load_overload(self, sig, target_context):
        """The compiled code for these types of arguments, or None; damaged files are as good as none."""
        if self._plain:
            rtsys.initialize(target_context)
        else:
            target_context.refresh()
        key = self._index_key(sig, target_context.codegen())
        for file in self._trusted():
            try:
                kept = file.load(key)
                if kept is not None:
                    return self._impl.rebuild(target_context, kept)
            except Exception:  # whatever unpickling half a file raises
                continue
        return None

    def save_overload(self, sig, data):
        """Keep compiled code in the first folder that takes it; say so if that is none, or for a while only."""
        if not self._impl.check_cachable(data):
            return
        key, reduced = self._index_key(sig, data.codegen), self._impl.reduce(data)
        folders = self._shared if config.CACHE_DIR else (self._beside, *self._shared)
        for folder in folders:
            if folder.parent in _refused:
                continue
            try:
                self._write(folder, key, reduced)
            except OSError as error:
                _refused[folder.parent] = error.strerror or str(error)
                continue
            if folder.parent == TEMPORARY:
                _note(f"it is kept in {folder.parent}")
            return
        _note(LOST)

    def index(self) -> dict[Any, str]:
        """What is kept, in any folder: types of arguments and machine → name of the file."""
        kept: dict[Any, str] = {}
        for file in self._trusted():
            try:
                kept |= file._load_index()
            except Exception:
                continue
        return kept

    def flush(self):
        """Forget what is kept beside the source."""
        self._files[self._beside].flush()

    def _trusted(self) -> Iterator[_Files]:
        """The files to read: code that others may have written is not run."""
        for folder, file in self._files.items():
            if folder.parent != TEMPORARY or _is_own(TEMPORARY):
                yield file

    def _write(self, folder: Path, key: Any, reduced: Any) -> None:
        if folder.parent == TEMPORARY:
            TEMPORARY.mkdir(mode=0o700, exist_ok=True)
            if not _is_own(TEMPORARY):
                raise PermissionError(EACCES, "another user has made or may write it")
        folder.mkdir(parents=True, exist_ok=True)
        file = self._files[folder]
        try:
            file._load_index()
        except Exception:
            Path(file._index_path).unlink(missing_ok=True)  # damaged
        file.save(key, reduced)
        current = Path(file._index_path).stem
        for path in folder.glob(self._versions):
            if not path.name.startswith(current):
                path.unlink(missing_ok=True)


class _Files(IndexDataCacheFile):
    """Numba's files for one function: an index, and one file of code for each tuple of types.

    Numba numbers the latter in order, so that two processes that compile for other types at the same time may write
    under one number, and later read the other's code. Here the number comes from the types; the code is there before
    the index names it.
    """

    def save(self, key, data):
        """Keep the code for a key."""
        index = self._load_index()
        index[key] = self._data_name(int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:6], "little"))
        self._save_data(index[key], data)
        self._save_index(index)


class _Implementation(CompileResultCacheImpl):
    """How Numba packs and unpacks compiled code; where it is, CodeCache decides."""

    def __init__(self, function: FunctionType):
        self._lineno = function.__code__.co_firstlineno
        self._locator: Any = SimpleNamespace(_py_file=function.__code__.co_filename)  # for Numba's warnings

    def reduce(self, cres):
        """What is kept: the names of what the code defines, and what Numba keeps."""
        module = cres.library._get_module_for_linking()
        named = (each for kind in (module.functions, module.global_variables) for each in kind)
        return {each.name for each in named if not each.is_declaration}, cres._reduce()

    def rebuild(self, target_context, payload):
        """The same as Numba does, but for code in LLVM's language (`_Loaded`)."""
        names, (code, descriptor, environment, signature, objectmode, lifted, annotation, starts, others) = payload
        for start in starts:
            start()
        codegen = target_context.codegen()
        library = _Loaded(codegen, *code)
        codegen._engine._defined_symbols |= names
        result = CompileResult(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            environment=environment,
            entry_point=target_context.get_executable(library, descriptor, environment),
            fndesc=descriptor,
            type_annotation=annotation,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            typing_error=None,
            call_helper=None,
            metadata=None,
            reload_init=starts,
            referenced_envs=others,
        )
        for each in others:
            codegen.set_env(each.env_name, each)
        return result


class _Loaded(JITCodeLibrary):
    """Machine code read from disk. The same in LLVM's language, for kernels that contain it, is read when asked for."""

    def __init__(self, codegen: Any, name: str, _: str, code: tuple[bytes, bytes]):
        super().__init__(codegen, name)
        machine_code, self._bitcode = code
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()

    def _get_module_for_linking(self):
        if self._shared_module is None:
            self._shared_module = binding.parse_bitcode(self._bitcode)
        return self._shared_module


@cache
def _resolved(file: str) -> Path:
    return Path(file).resolve()


def is_lost() -> bool:
    """Whether this process has compiled something that it could not keep."""
    return LOST in _noted


def _shared_folders() -> list[Path]:
    """Folders for the code of many source folders, in the order in which they are tried."""
    folders = [Path(config.CACHE_DIR)] if config.CACHE_DIR else []
    return [*folders, Path(AppDirs(appname="numba", appauthor=False).user_cache_dir), TEMPORARY]


def _is_own(folder: Path) -> bool:
    """Whether a folder is this user's, for nobody else to write."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and (USER is None or (found.st_uid == USER and not found.st_mode & 0o022))


def _note(where: str) -> None:
    """One line, once in a process."""
    if where not in _noted:
        _noted.add(where)
        tried = ", ".join(f"{folder} ({reason})" for folder, reason in _refused.items())
        print(
            f"gudgeon: compiled code cannot be kept in {tried}; {where}; "
            "set NUMBA_CACHE_DIR to a folder that you can write",
            file=sys.stderr,
            flush=True,
        )
