"""The table of attacks. Each is the body of a function that returns True when it got out; raising means that it was held.

The tests, and the tables in docs/, are made from this file. What stands in PRELUDE is before every script. `W` is the
world: paths and numbers of things outside (see world.py).
"""

# ruff: noqa: E501 - a program is one line of data

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Attack:
    """One attack.

    bites: who succeeds with it when there is no wall ("user": anybody; "root"; "some": it depends on the system; "never":
    other things hold it: limits, capabilities given up, an environment built from nothing). given_up: levels that do not
    hold it, as the documentation says. alone: never tried without walls, because it would hit more than the world."""

    name: str
    group: str
    code: str
    bites: str = "user"
    given_up: tuple[str, ...] = ()
    alone: bool = False

    @property
    def script(self) -> str:
        body = "\n".join(f"    {line}" for line in dedent(self.code).strip().splitlines())
        return f"{PRELUDE}\ndef attempt():\n{body}\n{EPILOGUE}"


PRELUDE = """
import ctypes, fcntl, json, mmap, os, platform, resource, signal, socket, stat, struct, subprocess, sys, threading, time
W = json.loads(sys.argv[1])
X86 = platform.machine() == "x86_64"
libc = ctypes.CDLL(None, use_errno=True)

def call(x86, arm, *arguments):
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(ctypes.c_long(x86 if X86 else arm), *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def read(path):
    with open(path) as file:
        return bool(file.read())

def run(*command):
    return subprocess.run(command, capture_output=True).returncode == 0
"""

EPILOGUE = """
try:
    out = attempt()
except BaseException as error:
    print("held", type(error).__name__, str(error)[:120])
else:
    print("escaped" if out else "held without an error")
"""

ELF = (  # a 64-bit program that exits with 0: header, one program header, three instructions
    "bytes.fromhex('7f454c4602010100000000000000000002003e0001000000780040000000000040000000000000000000000000000000"
    "000000004000380001000000000000000100000005000000000000000000000000004000000000000000400000000000"
    "80000000000000008000000000000000001000000000000031ffb83c0000000f05')"
)
STRONG = ("strong",)

ATTACKS = (
    # --- files: reading
    Attack("read a key", "files", "return read(W['out'] + '/key')"),
    Attack("read /etc/shadow", "files", "return read('/etc/shadow')", "root"),
    Attack("read /etc/passwd", "files", "return read('/etc/passwd')"),
    Attack("read in the home", "files", "return read(W['home'] + '/.ssh/id')"),
    Attack("list the root directory", "files", "return os.listdir('/')"),
    Attack("read this program's source", "files", "return read(W['source'])"),
    Attack("a sibling with the same prefix", "files", "return read('../calculator_evil/secret')"),
    Attack(
        "up by directory descriptor",
        "files",
        "d = os.open('.', os.O_RDONLY)\nreturn os.read(os.open('../outside/key', os.O_RDONLY, dir_fd=d), 9)",
    ),
    Attack("/proc/self/root", "files", "return read('/proc/self/root' + W['out'] + '/key')"),
    Attack("/proc/self/cwd/..", "files", "return read('/proc/self/cwd/../outside/key')"),
    Attack("follow a link that was there", "files", "return read('link_out')"),
    Attack("make a symbolic link and read it", "files", "os.symlink(W['out'] + '/key', 's')\nreturn read('s')"),
    Attack("make a symbolic link", "files", "os.symlink('/etc', 's')\nreturn True"),
    Attack("hard-link a key in", "files", "os.link(W['out'] + '/key', 'k')\nreturn read('k')"),
    Attack("rename a key in", "files", "os.rename(W['out'] + '/key', 'k')\nreturn read('k')"),
    Attack(
        "open by handle",
        "files",
        """
        handle = struct.pack('Ii', 128, 0) + bytes(128)
        buffer, mount = ctypes.create_string_buffer(handle, len(handle)), ctypes.c_int()
        call(303, 264, -100, ctypes.c_char_p((W['out'] + '/key').encode()), buffer, ctypes.byref(mount), 0)
        return call(304, 265, os.open('.', os.O_RDONLY), buffer, 0) > 0
        """,
        "never",
    ),
    Attack("read a disk", "files", "return any(open('/dev/' + n, 'rb').read(1) for n in W['disks'])", "some"),
    Attack(
        "watch a directory (inotify)",
        "files",
        "i = call(294, 26, 0)\nreturn call(254, 27, i, ctypes.c_char_p(W['out'].encode()), 2) >= 0",
    ),
    Attack("see other processes in /proc", "files", "return read(f\"/proc/{W['victim']}/cmdline\")"),
    # --- files: writing
    Attack("write a new file", "files", "open(W['out'] + '/new', 'w').write('x')\nreturn True"),
    Attack("overwrite a file", "files", "open(W['out'] + '/canary', 'w').write('x')\nreturn True"),
    Attack("truncate by path", "files", "os.truncate(W['out'] + '/canary', 0)\nreturn True"),
    Attack("truncate while opening to read", "files", "os.open(W['library'], os.O_RDONLY | os.O_TRUNC)\nreturn True"),
    Attack("truncate a readable file by path", "files", "os.truncate(W['library'], 0)\nreturn True"),
    Attack("delete a file", "files", "os.unlink(W['out'] + '/canary')\nreturn True"),
    Attack("rename a file out", "files", "open('m', 'w').close()\nos.rename('m', W['out'] + '/m')\nreturn True"),
    Attack("hard-link a file out", "files", "open('m', 'w').close()\nos.link('m', W['out'] + '/m')\nreturn True"),
    Attack("make a directory", "files", "os.mkdir(W['out'] + '/d')\nreturn True"),
    Attack("remove a directory", "files", "os.rmdir(W['out'] + '/empty')\nreturn True"),
    Attack(
        "change a mode by path",
        "files",
        "os.chmod(W['out'] + '/canary', 0o777)\nreturn os.stat(W['out'] + '/canary').st_mode & 0o777 == 0o777",
    ),
    Attack(
        "change a mode by descriptor",
        "files",
        "d = os.open(W['library'], os.O_RDONLY)\nos.fchmod(d, 0o777)\nreturn os.fstat(d).st_mode & 0o777 == 0o777",
    ),
    Attack("change an owner", "files", "os.chown(W['out'] + '/canary', os.getuid(), os.getgid())\nreturn True"),
    Attack("change a time by path", "files", "os.utime(W['out'] + '/canary', (1, 1))\nreturn True", given_up=STRONG),
    Attack(
        "change a time by descriptor",
        "files",
        "os.utime(os.open(W['library'], os.O_RDONLY), (1, 1))\nreturn True",
        given_up=STRONG,
    ),
    Attack(
        "set an extended attribute", "files", "os.setxattr(W['out'] + '/canary', 'user.x', b'1')\nreturn True", "some"
    ),
    Attack("write into site-packages", "files", "open(W['site'] + '/' + W['mark'] + '.pth', 'w')\nreturn True", "root"),
    Attack("write into the standard library", "files", "open(os.__file__, 'r+')\nreturn True", "root"),
    Attack("make a FIFO", "files", "os.mkfifo('f')\nreturn True"),
    Attack("make a socket file", "files", "os.mknod('s', stat.S_IFSOCK | 0o600)\nreturn True"),
    Attack("make a device", "files", "os.mknod('d', stat.S_IFCHR | 0o600, os.makedev(1, 1))\nreturn True", "never"),
    Attack(
        "setuid by chmod",
        "files",
        "open('m', 'w').close()\nos.chmod('m', 0o4755)\nreturn os.stat('m').st_mode & 0o4000",
    ),
    Attack(
        "setuid by open",
        "files",
        "d = os.open('m', os.O_CREAT | os.O_WRONLY, 0o4755)\nreturn os.fstat(d).st_mode & 0o4000",
    ),
    Attack(
        "setuid by a file without a name",
        "files",
        """
        d = os.open('.', os.O_TMPFILE | os.O_RDWR, 0o6755)
        libc.linkat(-100, f'/proc/self/fd/{d}'.encode(), -100, b'planted', 0x400)
        return os.fstat(d).st_mode & 0o6000
        """,
        "some",
    ),
    Attack(
        "a device by a rename (whiteout)",
        "files",
        "open('m', 'w').close()\ncall(316, 276, -100, ctypes.c_char_p(b'm'), -100, ctypes.c_char_p(b'n'), 4)\n"
        "return stat.S_ISCHR(os.lstat('m').st_mode)",
        "some",
    ),
    Attack(
        "a link by way of the temporary directory",
        "files",
        "t = os.environ['TMPDIR'] + '/s'\nos.symlink('/etc', t)\nos.rename(t, 's')\nreturn True",
    ),
    Attack(
        "change the flags of a file",
        "files",
        "d = os.open(W['library'], os.O_RDONLY)\nflags = fcntl.ioctl(d, 0x80086601, bytes(8))\n"
        "fcntl.ioctl(d, 0x40086602, struct.pack('q', struct.unpack('q', flags)[0] ^ 0x40))\nreturn True",
        "some",
    ),
    Attack(
        "write to a terminal of the person",
        "files",
        "return any(os.open(f'/dev/pts/{n}', os.O_WRONLY | os.O_NOCTTY) for n in os.listdir('/dev/pts') if n.isdigit())",
        "some",
    ),
    Attack(
        "a sparse terabyte",
        "files",
        "open('m', 'wb').truncate(1 << 40)\nreturn os.stat('m').st_size == 1 << 40",
        "never",
    ),
    Attack(
        "leave something in /dev/shm", "files", "open('/dev/shm/' + W['mark'], 'w').write('x')\nreturn False", "some"
    ),
    Attack("open the terminal", "files", "os.open('/dev/tty', os.O_RDWR)\nreturn True", "some"),
    Attack(
        "plant a hook in .git",
        "files",
        "os.makedirs('.git/hooks')\nopen('.git/hooks/post-checkout', 'w').write('x')",
        "never",
    ),
    Attack(
        "open kernel settings to write", "files", "open('/proc/sys/kernel/core_pattern', 'r+')\nreturn True", "root"
    ),
    Attack("chroot", "files", "os.chroot('.')\nreturn True", "never"),
    Attack("mount", "files", "return libc.mount(b'none', os.getcwd().encode(), b'tmpfs', 0, None) == 0", "some"),
    # --- network
    Attack("TCP", "network", "socket.create_connection(('127.0.0.1', W['tcp']), 2).sendall(b'x')\nreturn True"),
    Attack("listen", "network", "s = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()\nreturn True"),
    Attack(
        "UDP", "network", "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', W['udp']))\nreturn True"
    ),
    Attack(
        "DNS",
        "network",
        "return socket.getaddrinfo('localhost', 80, type=socket.SOCK_STREAM) and bool(socket.socket())",
    ),
    Attack("IPv6", "network", "socket.socket(socket.AF_INET6)\nreturn True", "some"),
    Attack(
        "Unix socket by path",
        "network",
        "s = socket.socket(socket.AF_UNIX)\ns.connect(W['unix'])\ns.sendall(b'x')\nreturn True",
    ),
    Attack(
        "abstract Unix socket",
        "network",
        "s = socket.socket(socket.AF_UNIX)\ns.connect('\\0' + W['abstract'])\ns.sendall(b'x')\nreturn True",
    ),
    Attack(
        "datagram pair to a path",
        "network",
        "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\na.sendto(b'x', W['datagram'])\nreturn True",
    ),
    Attack(
        "name one end of a pair",
        "network",
        "a, b = socket.socketpair()\na.bind('here.sock')\nreturn os.path.exists('here.sock')",
    ),
    Attack("netlink", "network", "socket.socket(16, socket.SOCK_RAW, 0)\nreturn True"),
    Attack("raw", "network", "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)\nreturn True", "never"),
    Attack("packet", "network", "socket.socket(17, socket.SOCK_RAW, 0)\nreturn True", "some"),
    Attack("vsock", "network", "socket.socket(40, socket.SOCK_STREAM)\nreturn True", "some"),
    Attack("kernel cryptography", "network", "socket.socket(38, socket.SOCK_SEQPACKET)\nreturn True", "some"),
    Attack("io_uring", "network", "return call(425, 425, 4, ctypes.create_string_buffer(120)) > 0", "some"),
    Attack("x32 calls", "network", "return X86 and call(0x40000000 | 39, 0) > 0", "some"),
    Attack(
        "32-bit calls",
        "network",
        """
        if not X86:
            return False
        page = mmap.mmap(-1, 4096, prot=7)
        page.write(bytes.fromhex('53b81400000031dbcd805bc3'))  # push rbx; mov eax, getpid; int 0x80; pop rbx; ret
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        return ctypes.CFUNCTYPE(ctypes.c_int)(address)() > 0
        """,
        "some",
    ),
    # --- processes
    Attack("kill a stranger", "processes", "os.kill(W['victim'], signal.SIGTERM)\nreturn True"),
    Attack("kill a stranger by a thread", "processes", "return call(200, 130, W['victim'], 15) == 0"),
    Attack(
        "queue a signal",
        "processes",
        "i = struct.pack('iii', 15, 0, -1) + bytes(116)\nreturn call(129, 138, W['victim'], 15, ctypes.create_string_buffer(i)) == 0",
    ),
    Attack("signal the agent", "processes", "os.kill(W['agent'], signal.SIGCONT)\nreturn True"),
    Attack("signal the supervisor", "processes", "os.kill(W['supervisor'], signal.SIGCONT)\nreturn True"),
    Attack(
        "kill the one who watches",
        "processes",
        "if os.getppid():\n    os.kill(os.getppid(), signal.SIGKILL)\n    return True",
    ),
    Attack("signal everybody", "processes", "os.kill(-1, signal.SIGTERM)", "user", alone=True),
    Attack("pidfd", "processes", "return call(434, 434, W['victim'], 0) > 0"),
    Attack(
        "signal by way of a descriptor",
        "processes",
        """
        r, w = os.pipe()
        fcntl.fcntl(r, 8, W['victim'])  # F_SETOWN
        fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        os.write(w, b'x')
        return True
        """,
    ),
    Attack(
        "change limits of another",
        "processes",
        "resource.prlimit(W['victim'], resource.RLIMIT_NOFILE, (10, 10))\nreturn True",
    ),
    Attack("priority of another", "processes", "os.setpriority(os.PRIO_PROCESS, W['victim'], 19)\nreturn True"),
    Attack(
        "priority of all of the user",
        "processes",
        "os.setpriority(os.PRIO_USER, os.getuid(), 19)\nreturn True",
        alone=True,
    ),
    Attack("priority of disk use", "processes", "return call(251, 30, 1, W['victim'], 3 << 13) == 0"),
    Attack("affinity of another", "processes", "os.sched_setaffinity(W['victim'], {0})\nreturn True"),
    Attack(
        "scheduler of another",
        "processes",
        "os.sched_setscheduler(W['victim'], os.SCHED_IDLE, os.sched_param(0))\nreturn True",
    ),
    Attack("ptrace", "processes", "return libc.ptrace(0x4206, W['victim'], None, None) == 0", "some"),
    Attack(
        "read memory of another",
        "processes",
        """
        buffer = ctypes.create_string_buffer(8)
        mine, theirs = (struct.pack('PP', a, 8) for a in (ctypes.addressof(buffer), W['address']))
        return call(310, 270, W['victim'], ctypes.c_char_p(mine), 1, ctypes.c_char_p(theirs), 1, 0) == 8
        """,
        "some",
    ),
    Attack("/proc/PID/mem", "processes", "return os.open(f\"/proc/{W['victim']}/mem\", os.O_RDONLY) > 0", "some"),
    Attack("/proc/PID/environ", "processes", "return read(f\"/proc/{W['victim']}/environ\")", "some"),
    Attack(
        "compare with another", "processes", "return call(312, 272, W['victim'], W['victim'], 1, 0, 0) >= 0", "some"
    ),
    Attack("System V shared memory", "processes", "return libc.shmget(W['shared_key'], 16, 0o666) >= 0"),
    Attack("System V messages", "processes", "return libc.msgget(W['shared_key'] + 1, 0o1666) >= 0"),
    Attack(
        "message queue",
        "processes",
        "return call(240, 180, ctypes.c_char_p(W['mark'].encode()), os.O_CREAT | os.O_RDWR, 0o600, 0) >= 0",
        "some",
    ),
    Attack(
        "keyring",
        "processes",
        "return call(248, 217, ctypes.c_char_p(b'user'), ctypes.c_char_p(b'glassbox'), ctypes.c_char_p(b'x'), 1, -4) > 0",
    ),
    Attack("secret of the environment", "processes", "return os.environ['GLASSBOX_SECRET']", "never"),
    Attack("inherited descriptor", "processes", "return any(libc.fcntl(d, 1) >= 0 for d in range(3, 256))", "never"),
    Attack("a shell", "processes", "return run('/bin/sh', '-c', 'exit 0')"),
    Attack("a program of the system", "processes", "return run('/usr/bin/env')"),
    Attack("a shell by the loader", "processes", "return run(W['loader'], '/bin/sh', '-c', 'exit 0')"),
    Attack("a setuid program", "processes", "return run('/bin/su', '--version')"),
    Attack(
        "a script with a first line",
        "processes",
        "d = os.open('s', os.O_CREAT | os.O_WRONLY, 0o755)\nos.write(d, b'#!/bin/sh\\nexit 0\\n')\nos.close(d)\nreturn run('./s')",
    ),
    Attack(
        "an own binary",
        "processes",
        f"d = os.open('e', os.O_CREAT | os.O_WRONLY, 0o755)\nos.write(d, {ELF})\nos.close(d)\nreturn X86 and run('./e')",
    ),
    Attack(
        "an own binary in memory",
        "processes",
        f"d = os.memfd_create('e', 0)\nos.write(d, {ELF})\nos.set_inheritable(d, True)\nreturn X86 and subprocess.run([f'/proc/self/fd/{{d}}'], pass_fds=[d]).returncode == 0",
    ),
    Attack(
        "an own binary by descriptor",
        "processes",
        f"""
        d = os.open('e', os.O_CREAT | os.O_WRONLY, 0o755)
        os.write(d, {ELF})
        os.close(d)
        d = os.open('e', os.O_RDONLY)
        child = os.fork()
        if child == 0:
            try:
                call(322, 281, d, ctypes.c_char_p(b''), 0, 0, 0x1000)
            finally:
                os._exit(9)
        return X86 and os.waitpid(child, 0)[1] == 0
        """,
        "some",
    ),
    Attack("a new user namespace (unshare)", "processes", "return libc.unshare(0x10000000) == 0", "some"),
    Attack(
        "a new user namespace (clone)",
        "processes",
        "p = call(56, 220, 0x10000011, 0, 0, 0, 0)\nif p == 0:\n    os._exit(0)\nreturn True",
        "some",
    ),
    Attack(
        "a new user namespace (clone3)",
        "processes",
        "a = struct.pack('8Q', 0x10000000, 0, 0, 0, 17, 0, 0, 0)\np = call(435, 435, ctypes.c_char_p(a), 64)\nif p == 0:\n    os._exit(0)\nreturn True",
        "some",
    ),
    Attack(
        "bpf",
        "processes",
        "a = struct.pack('IIII', 1, 4, 4, 1) + bytes(100)\nreturn call(321, 280, 0, ctypes.c_char_p(a), 116) > 0",
        "never",
    ),
    Attack(
        "perf events",
        "processes",
        "a = struct.pack('IIQ', 1, 128, 0) + bytes(112)\nreturn call(298, 241, ctypes.c_char_p(a), 0, -1, -1, 0) > 0",
        "some",
    ),
    Attack("userfaultfd", "processes", "return call(323, 282, 1) > 0", "some"),
    Attack("name of the machine", "processes", "socket.sethostname(socket.gethostname())\nreturn True", "never"),
    Attack(
        "capabilities of root",
        "processes",
        """
        header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
        call(125, 90, ctypes.byref(header), ctypes.byref(data))
        return any(data)
        """,
        "never",
    ),
    Attack("gain rights by exec", "processes", "return libc.prctl(39, 0, 0, 0, 0) != 1", "never"),
    # --- the supervisor
    Attack(
        "plant modules for the supervisor",
        "supervisor",
        """
        for name in ('json', 'socket', 'ctypes', 'signal', 'select', 'sitecustomize', 'usercustomize', 'sandbox'):
            open(name + '.py', 'w').write(f"open({W['out'] + '/planted'!r}, 'w')")
        """,
        "never",
    ),
    Attack(
        "fake the answer",
        "supervisor",
        """
        answer = b'T{"code": 0, "stopped": null, "fork": true}'
        for d in range(3, 256):
            try:
                os.write(d, answer)
                return True
            except OSError:
                pass
        """,
        "never",
    ),
)
