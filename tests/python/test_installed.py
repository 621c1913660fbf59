"""The package where `cmake --install` puts it; and what its manual says."""
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import transept

BUILD = os.environ["TRANSEPT_BUILD"]
VERSION = "python%d.%d" % sys.version_info[:2]
TRY = ("import transept, sys; room = transept.Room(transept.Mesh.box((2, 2, 2), 'a'), spacing=.2, absorption=.1);"
       "room.engine().step(3); print(transept.__file__)")


class Installed(unittest.TestCase):
    def install(self, prefix, below=None):
        environment = {**os.environ, **({"DESTDIR": str(below)} if below else {})}
        environment.pop("LD_PRELOAD", None)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", str(prefix)], check=True, env=environment,
                       stdout=subprocess.DEVNULL)

    def test_a_scratch_prefix_imports_and_steps(self):
        with tempfile.TemporaryDirectory() as prefix:
            self.install(prefix)
            found = list(pathlib.Path(prefix).glob("lib/python*/*-packages"))
            self.assertEqual(len(found), 1)
            self.assertEqual(found[0].parent.name, VERSION)
            done = subprocess.run([sys.executable, "-c", TRY], env={**os.environ, "PYTHONPATH": str(found[0])},
                                  cwd=prefix, capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "")
            self.assertEqual(pathlib.Path(done.stdout.strip()).parent, found[0] / "transept")
            kinds = {path.suffix for path in (found[0] / "transept").iterdir() if path.is_file()}
            self.assertEqual(kinds, {".py", ".so"})

    @unittest.skipUnless("/usr/lib/python3/dist-packages" in sys.path, "not Debian's Python")
    def test_debians_prefixes_are_where_its_python_looks(self):
        for prefix, folder in (("/usr", "/usr/lib/python3/dist-packages"),
                               ("/usr/local", f"/usr/local/lib/{VERSION}/dist-packages")):
            script = "import site, sys; print(*site.getsitepackages(), *sys.path)"
            looked = subprocess.run([sys.executable, "-c", script],
                                    capture_output=True, text=True, check=True).stdout.split()
            self.assertIn(folder, looked)
            with tempfile.TemporaryDirectory() as below:
                self.install(prefix, below)
                self.assertTrue(os.path.exists(f"{below}{folder}/transept/libtransept.so"))
        with tempfile.TemporaryDirectory() as below:  # as a package is made
            self.install(below + "/usr")
            self.assertTrue(os.path.exists(f"{below}/usr/lib/python3/dist-packages/transept/libtransept.so"))

    def test_everything_that_is_public_says_what_it_is(self):
        def public(thing):
            return [(name, one) for name, one in vars(thing).items() if not name.startswith("_") and
                    (inspect.isfunction(one) or isinstance(one, (property, classmethod, staticmethod)))]

        for name in transept.__all__:
            thing = getattr(transept, name)
            self.assertTrue(inspect.getdoc(thing), name)
            self.assertIn(name if inspect.isclass(thing) or inspect.ismodule(thing) else f"{name}(", transept.__doc__
                          if name not in {kind.__name__ for kind in transept.errors.BY_STATUS.values()} |
                          {"TranseptError", "Progress"} else name, name)
            for member, one in public(thing) if inspect.isclass(thing) else ():
                self.assertTrue(inspect.getdoc(one.fget if isinstance(one, property) else one), f"{name}.{member}")

    def test_the_library_shows_its_own_names_and_no_others(self):
        library = pathlib.Path(transept.__file__).parent / "libtransept.so"
        shown = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
        names = {line.split()[-1] for line in shown.stdout.splitlines()}
        bound = {"transept_" + name for name in transept._library._SIGNATURES}
        self.assertEqual({name for name in names if not name.startswith("__")}, bound)


if __name__ == "__main__":
    unittest.main()
