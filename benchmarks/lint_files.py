"""Fetch the documents that the linter is measured on: of source distributions, and of others.

    python benchmarks/lint_files.py FOLDER [CORPUS]

`lint_files.tsv` names each file: package, version, path, the first 16 digits of its SHA-256,
whether it is read with the network (`core`) or by the rules alone (`wide`), and its use: the rules
were corrected on its package (`mend`), or measured on it in the first two rounds (`measure`) or a
later one (`3` to `15`: of these, the files with judged findings and those that they name). pip
downloads the source distributions, apt-get the documentation of Linux and the sources of programs
that Debian has (which need a `deb-src` line in its settings), and the texts of CORPUS
(`../shared/corpus`) are the lines of its shards; FOLDER then holds PACKAGE-VERSION/PATH, and
nothing of it is committed. A file whose sum differs is named and left out.
"""

import argparse
import csv
import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from spacy_gladis.documents.lines import read_lines

CORPUS = "corpus"  # in the place of a version
DEBIAN = frozenset({"linux-doc-6.1"})
PROGRAMS = """
aoflagger aom arm-trusted-firmware bcftools bind9 bluez botan bpftrace btrfs-progs cdftools
ceres-solver cfitsio chemps2 chrony civetweb cmake code-saturne collectd containerd coq coreboot
crrcsim crun csound ctsim cups cvs-fast-export cyrus-imapd cyrus-sasl2 daps dcmstack dcmtk direwolf
docker.io dovecot dpdk drbd-doc e2fsprogs ecasound edk2 erlang espresso etcd exim4 fasta3 fish
flint-arb freeipmi freeradius frr fwupd ganeti getdp ghc ghdl git glpk gnutls28 gpsd grace grads
gromacs groonga gstreamer1.0 haproxy hisat2 hmmer hypre iceoryx icinga2 insighttoolkit5 intake
ipmctl iwd jpeg-xl kamailio kannel keepalived kitty knot krb5 lammps libcamera libisofs libpod
libsrtp2 libtorrent-rasterbar libvirt lifelines linuxcnc lldpd llvm-toolchain-14 logback ltt-control
lvm2 lxd mapserver mbedtls mongo-c-driver mpd mrtrix3 nco netgen nng nodejs nss ntpsec nvme-cli
oasis3 ofono opendkim openldap openms opensc opensm openvdb openvpn osmo-bts pacemaker papi petsc
phpmyadmin phylip plplot pmix postgis prometheus psi4 pytables python-oracledb python-stetl
python-ulmo python3.11 qemu qpid-proton rear rpm rtl-433 sane-backends seabios sip4 skopeo srt
sundials svt-av1 swig sympy syslinux systemd tgt thrift tiff trafficserver u-boot ucx unbound
util-linux valgrind verilator vtk9 weston wireshark wsclean wsjtx x265 xen xgboost yosys zeromq3
zynaddsubfx zypper
"""
UPSTREAM = frozenset(PROGRAMS.split())  # whose sources Debian has
MESA = "22.3.6"  # PyPI has another program of the name
LIST = Path(__file__).parent / "lint_files.tsv"


class Listed(NamedTuple):
    """A file of the list, as above."""

    package: str
    version: str
    path: str
    sha256: str
    kind: str
    use: str

    @property
    def place(self) -> str:
        """Where it lies in the folder."""
        return f"{self.package}-{self.version}/{self.path}"


def listed() -> list[Listed]:
    """The files of the list, in its order."""
    with LIST.open(encoding="utf8", newline="") as file:
        return [Listed(*row) for row in csv.reader(file, "excel-tab")]


def main() -> None:
    """Download and unpack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("corpus", nargs="?", type=Path, default=Path("../shared/corpus"))
    given = parser.parse_args()
    wanted: dict[tuple[str, str], list[Listed]] = defaultdict(list)
    for one in listed():
        wanted[one.package, one.version].append(one)
    archives = given.folder / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    for (package, version), files in wanted.items():
        if version == CORPUS:
            of_corpus(given.corpus / f"{package}.jsonl.zst", files, given.folder)
        elif package in DEBIAN:
            of_debian(archives, files, given.folder)
        elif package in UPSTREAM or (package, version) == ("mesa", MESA):
            of_upstream(archives, files, given.folder)
        else:
            of_pip(archives, files, given.folder)


def of_pip(archives: Path, files: list[Listed], folder: Path) -> None:
    """Write the files of a source distribution."""
    package, version = files[0][:2]
    archive = archives / f"{package}-{version}.tar.gz"
    if not archive.is_file():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        given = ["--no-binary", package, "--dest", str(archives), f"{package}=={version}"]
        subprocess.run([*pip, *given], check=True)
    with tarfile.open(archive) as tar:
        for one in files:
            file = tar.extractfile(one.place)
            write(one, file.read() if file else b"", folder)


def of_debian(archives: Path, files: list[Listed], folder: Path) -> None:
    """Write the files of a Debian package's documentation, which may be compressed in it."""
    package, version = files[0][:2]
    if not list(archives.glob(f"{package}_{version}_*.deb")):
        given = ["apt-get", "--quiet", "download", f"{package}={version}"]
        subprocess.run(given, check=True, cwd=archives)
    (archive,) = archives.glob(f"{package}_{version}_*.deb")
    unpacked = subprocess.run(
        ["dpkg-deb", "--fsys-tarfile", archive], check=True, stdout=subprocess.PIPE
    )
    with tarfile.open(fileobj=io.BytesIO(unpacked.stdout)) as tar:
        for one in files:
            file = tar.extractfile(f"./usr/share/doc/{package}/{one.path}.gz")
            write(one, gzip.decompress(file.read()) if file else b"", folder)


def of_upstream(archives: Path, files: list[Listed], folder: Path) -> None:
    """Write the files of a program's sources, whose archive has a folder of any name."""
    package, version = files[0][:2]
    pattern = f"{package}_{version}.orig.tar.*"
    if not list(archives.glob(pattern)):
        given = ["apt-get", "--quiet", "source", "--download-only", package]
        subprocess.run(given, check=True, cwd=archives)
    wanted = {one.path: one for one in files}
    with tarfile.open(next(archives.glob(pattern))) as tar:
        for member in tar:
            one = wanted.get(member.name.removeprefix("./").partition("/")[2])
            file = tar.extractfile(member) if one else None
            if one and file:
                write(one, file.read(), folder)


def of_corpus(shard: Path, files: list[Listed], folder: Path) -> None:
    """Write texts of a shard of the corpus: `12.txt` is its line 12, counted from 0."""
    wanted = {int(Path(one.path).stem): one for one in files}
    for number, line in read_lines(shard, first=0):
        if number in wanted:
            write(wanted[number], json.loads(line)["text"].encode(), folder)


def write(one: Listed, data: bytes, folder: Path) -> None:
    """Write a file, if it is that of the list."""
    if hashlib.sha256(data).hexdigest()[:16] != one.sha256:
        print(f"{one.place} is not the file of the list", file=sys.stderr)
        return
    target = folder / one.place
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


if __name__ == "__main__":
    main()
