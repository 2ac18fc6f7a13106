"""Which system calls a script may make, and how the others are refused: plain data for seccomp.py.

What is allowed was measured on x86_64: `strace -f -c` over each of the 428 test modules of CPython 3.11 and over
programs that use thirty packages (numpy, pandas, scipy, scikit-learn, joblib, polars, pyarrow, duckdb, h5py, numba,
sympy, networkx, matplotlib, pillow, lxml, beautifulsoup4, requests, aiohttp, pydantic, sqlalchemy, cryptography,
orjson, PyYAML, Jinja2, rich, tqdm, psutil, threadpoolctl, pytest, hypothesis). They made 183 different calls. 151 of
these are allowed here; 28 are refused with an error of their own; clone3, mbind, pidfd_open and pidfd_send_signal do
not exist, and whoever makes them falls back. The rest of the list is other forms of the same calls, which another
processor, C library or version of Python takes, and what strace does not count (exit).
"""

import errno

# Landlock and this filter are put up after it stands; then these are refused by another one, seccomp.py
UNTIL_THE_WALLS_STAND = "landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp"

# A call that may go through with some arguments only has its checks in seccomp.py
ALLOWED = (
    # files and directories: where they may lie is Landlock's to say
    "open openat creat close close_range read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2",
    "lseek stat lstat fstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat umask",
    "utime utimes futimesat utimensat chmod fchmod fchmodat truncate ftruncate fallocate copy_file_range fsync",
    "fdatasync sync syncfs sync_file_range fadvise64 readahead flock fcntl ioctl getdents getdents64 getcwd chdir",
    "fchdir mkdir mkdirat rmdir link linkat symlink symlinkat unlink unlinkat rename renameat renameat2 mknod mknodat",
    "dup dup2 dup3 pipe pipe2",
    # waiting for descriptors and for time
    "select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd",
    "eventfd2 signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime time gettimeofday clock_gettime",
    "clock_getres clock_nanosleep nanosleep alarm getitimer setitimer",
    # memory of its own
    "mmap munmap mremap mprotect msync madvise mincore brk mlock mlock2 munlock mlockall munlockall",
    # processes and threads of its own, and signals among them
    "clone fork vfork execve exit exit_group wait4 waitid getpid getppid gettid getpgrp getpgid setpgid getsid setsid",
    "set_tid_address set_robust_list rseq arch_prctl prctl futex futex_waitv restart_syscall rt_sigaction",
    "rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait rt_sigqueueinfo rt_tgsigqueueinfo",
    "sigaltstack pause kill tkill tgkill",
    # who and what it is; without capabilities none of these gives anything that it has not got
    "getuid geteuid getgid getegid getresuid getresgid getgroups setuid setgid setreuid setregid setresuid setresgid",
    "setgroups capget sched_yield sched_getaffinity sched_setaffinity sched_getparam sched_setparam sched_getscheduler",
    "sched_setscheduler sched_getattr sched_setattr sched_get_priority_max sched_get_priority_min",
    "sched_rr_get_interval getpriority setpriority ioprio_get ioprio_set getcpu getrlimit setrlimit prlimit64",
    "getrusage times sysinfo uname getrandom",
    # pairs of connected streams, which asyncio needs; there are no other sockets
    "socketpair sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown getsockname getpeername setsockopt",
    "getsockopt",
    UNTIL_THE_WALLS_STAND,
)

# Calls that exist and are refused: the error they get, which is the one that programs expect and fall back on. All
# other calls are ENOSYS.
REFUSED = (
    # network: nothing leaves, nothing listens
    (errno.EPERM, "socket bind connect listen accept accept4"),
    # other processes: reading their memory, stopping them
    (errno.EPERM, "ptrace process_vm_readv process_vm_writev"),
    # namespaces and mounts: in a new user namespace a process has capabilities again, and a wider kernel to attack
    (errno.EPERM, "unshare setns mount umount2 chroot"),
    (errno.EPERM, "clock_settime sethostname"),
    # a program in memory has no path for Landlock to look at
    (errno.EPERM, "execveat memfd_create"),
    # memory that is in no process's account: pages, also huge ones, that only a pipe holds on to. Python does without
    (errno.EINVAL, "vmsplice splice tee sendfile"),
    # attributes and owners of files outside: Landlock does not handle them. ENOTSUP is what shutil.copy2 expects
    (errno.ENOTSUP, "setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr"),
    (errno.ENOTSUP, "removexattr lremovexattr fremovexattr"),
    (errno.EPERM, "chown fchown lchown fchownat"),
)
