"""A bad line between two network interfaces: delays each packet, and drops some.

Usage: line.py INTERFACE INTERFACE DELAY_MS LOSS. Creates both TUN interfaces, which may then be moved to other network namespaces, and
prints "ready". Reads commands from standard input: "cut" drops all packets, "mend" ends that, "count" prints the packets that were
forwarded, lost and cut. Ends with standard input. It replaces netem of tc, which many kernels lack.
"""

import collections
import fcntl
import os
import random
import select
import struct
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
PACKET_BYTES = 65_536


def open_interface(name: str) -> int:
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return descriptor


def run_command(command: bytes, counts: collections.Counter[str], is_cut: bool) -> bool:
    if command == b"":
        sys.exit()
    if command.strip() == b"count":
        print(f"{counts['forwarded']} {counts['lost']} {counts['cut']}", flush=True)
        return is_cut
    return command.strip() == b"cut"


def run(names: list[str], delay_seconds: float, loss: float) -> None:
    left, right = (open_interface(name) for name in names)
    others = {left: right, right: left}
    waiting: collections.deque[tuple[float, int, bytes]] = collections.deque()
    counts: collections.Counter[str] = collections.Counter()
    is_cut = False
    # Unbuffered, so that `select` sees each command.
    commands = open(0, "rb", buffering=0)
    print("ready", flush=True)
    while True:
        timeout_seconds = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        readable, _, _ = select.select([left, right, commands], [], [], timeout_seconds)
        if commands in readable:
            is_cut = run_command(commands.readline(), counts, is_cut)
            readable.remove(commands)
        for source in readable:
            try:
                packet = os.read(source, PACKET_BYTES)
            except OSError:
                continue
            outcome = "cut" if is_cut else "lost" if random.random() < loss else "forwarded"
            counts[outcome] += 1
            if outcome == "forwarded":
                waiting.append((time.monotonic() + delay_seconds, others[source], packet))
        while waiting and waiting[0][0] <= time.monotonic():
            _, target, packet = waiting.popleft()
            try:
                os.write(target, packet)
            except OSError:
                counts["lost"] += 1


if __name__ == "__main__":
    run(sys.argv[1:3], float(sys.argv[3]) / 1000, float(sys.argv[4]))
