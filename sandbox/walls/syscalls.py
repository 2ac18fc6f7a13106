"""Which system calls the filter refuses, and why: plain data for seccomp.py.

Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of the Linux sources. "-" is a
call that the processor does not have.
"""

import errno
import platform

AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # linux/audit.h

# (the error it gets, the calls); a call that may go through with some arguments is in seccomp.py
REFUSED = (
    # network: nothing leaves, nothing listens (pairs of connected streams, which asyncio needs, are in seccomp.py)
    (errno.EPERM, "socket bind connect listen accept accept4"),
    # other processes: reading their memory, stopping them
    (errno.EPERM, "ptrace process_vm_readv process_vm_writev kcmp"),
    # namespaces and mounts: in a new user namespace a process has capabilities again, and a wider kernel to attack
    (errno.EPERM, "unshare setns mount umount2 pivot_root chroot swapon swapoff quotactl"),
    (errno.EPERM, "name_to_handle_at open_by_handle_at"),  # opens files by number, past every directory
    # the kernel itself
    (errno.EPERM, "bpf perf_event_open userfaultfd kexec_load kexec_file_load init_module finit_module delete_module"),
    (
        errno.EPERM,
        "reboot acct syslog iopl ioperm modify_ldt personality lookup_dcookie nfsservctl vhangup uselib ustat",
    ),
    (errno.EPERM, "sysfs _sysctl settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname"),
    (errno.EPERM, "move_pages migrate_pages"),
    # memory that is in no process's account: pages, also huge ones, that only a pipe holds on to. Python does without
    (errno.EINVAL, "vmsplice splice tee sendfile"),
    # secrets and mailboxes that belong to the user and not to a file
    (errno.EPERM, "add_key request_key keyctl"),
    (errno.EPERM, "shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl"),
    (errno.EPERM, "mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr"),
    # watching files outside
    (errno.EPERM, "inotify_init inotify_init1 inotify_add_watch fanotify_init fanotify_mark"),
    # a program in memory has no path for Landlock to look at
    (errno.EPERM, "execveat memfd_create"),
    # attributes and owners of files outside: Landlock does not handle them. ENOTSUP is what shutil.copy2 expects
    (errno.ENOTSUP, "setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr"),
    (errno.ENOTSUP, "removexattr lremovexattr fremovexattr"),
    (errno.EPERM, "chown fchown lchown fchownat"),
)

# Newer than the table below and needed: the rest of what is newer (io_uring, pidfd, openat2, clone3, ...) is ENOSYS
# Landlock may be called because it is put up after this filter, and is refused by another one after that
ALLOWED_AFTER_THE_TABLE = (
    "close_range", "faccessat2", "epoll_pwait2", "futex_waitv",
    "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self",
)  # fmt: skip

_LAST = {"x86_64": 334, "aarch64": 294}

_TABLE = """
vmsplice 278 75; splice 275 76; tee 276 77; sendfile 40 71; mmap 9 222;
socket 41 198; socketpair 53 199; bind 49 200; connect 42 203; listen 50 201; accept 43 202; accept4 288 242;
ptrace 101 117; process_vm_readv 310 270; process_vm_writev 311 271; kcmp 312 272; unshare 272 97; setns 308 268;
clone 56 220; fork 57 -; vfork 58 -; mount 165 40; umount2 166 39; pivot_root 155 41; chroot 161 51; swapon 167
224; swapoff 168 225; quotactl 179 60; name_to_handle_at 303 264; open_by_handle_at 304 265; bpf 321 280;
perf_event_open 298 241; userfaultfd 323 282; kexec_load 246 104; kexec_file_load 320 294; init_module 175 105;
finit_module 313 273; delete_module 176 106; reboot 169 142; acct 163 89; syslog 103 116; iopl 172 -; ioperm 173 -;
modify_ldt 154 -; personality 135 92; lookup_dcookie 212 18; nfsservctl 180 42; vhangup 153 58; uselib 134 -; ustat
136 -; sysfs 139 -; _sysctl 156 -; settimeofday 164 170; clock_settime 227 112; adjtimex 159 171; clock_adjtime 305
266; sethostname 170 161; setdomainname 171 162; move_pages 279 239; migrate_pages 256 238; add_key 248 217;
request_key 249 218; keyctl 250 219; shmget 29 194; shmat 30 196; shmctl 31 195; shmdt 67 197; semget 64 190; semop
65 193; semctl 66 191; semtimedop 220 192; msgget 68 186; msgsnd 69 189; msgrcv 70 188; msgctl 71 187; mq_open 240
180; mq_unlink 241 181; mq_timedsend 242 182; mq_timedreceive 243 183; mq_notify 244 184; mq_getsetattr 245 185;
inotify_init 253 -; inotify_init1 294 26; inotify_add_watch 254 27; fanotify_init 300 262; fanotify_mark 301 263;
execveat 322 281; memfd_create 319 279; setxattr 188 5; lsetxattr 189 6; fsetxattr 190 7; getxattr 191 8; lgetxattr
192 9; fgetxattr 193 10; listxattr 194 11; llistxattr 195 12; flistxattr 196 13; removexattr 197 14; lremovexattr
198 15; fremovexattr 199 16; chmod 90 -; fchmod 91 52; fchmodat 268 53; chown 92 -; fchown 93 55; lchown 94 -;
fchownat 260 54; open 2 -; openat 257 56; creat 85 -; mknod 133 -; mknodat 259 33; truncate 76 45; kill 62 129;
tkill 200 130; tgkill 234 131; rt_sigqueueinfo 129 138; rt_tgsigqueueinfo 297 240; prlimit64 302 261; setpriority
141 140; ioprio_set 251 30; sched_setaffinity 203 122; sched_setscheduler 144 119; sched_setparam 142 118;
sched_setattr 314 274; fcntl 72 25; ioctl 16 29; renameat2 316 276; close_range 436 436;
faccessat2 439 439; epoll_pwait2 441 441; futex_waitv 449 449;
landlock_create_ruleset 444 444; landlock_add_rule 445 445; landlock_restrict_self 446 446
"""


def _read(column: int) -> dict[str, str]:
    rows = (entry.split() for entry in _TABLE.split(";"))
    return {row[0]: row[column] for row in rows}


_NUMBERS = _read(2 if platform.machine() == "aarch64" else 1)


def number(name: str) -> int | None:
    """The number of a call on this processor; None when it has none. KeyError for a name that the table lacks."""
    text = _NUMBERS[name]
    return None if text == "-" else int(text)


def last_in_table() -> int:
    return _LAST[platform.machine()]
