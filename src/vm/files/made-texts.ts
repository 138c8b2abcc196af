// What the files of /proc say, as far as programs look at them. The machine is always the same: one processor, 4 GiB,
// the kernel that uname names, up for as long as the clock says. Nothing of the host's is in here.

import { MADE_DEVICE, SHARED_MEMORY_DEVICE } from "./open-file.js";

const KIB = 1024;
const MEMORY_KIB = 0x1_0000_0000 / KIB;
/** As sysinfo and the clocks have it. */
const UPTIME_SECONDS = 100_000;

/** The process as /proc/self shows it. */
export interface ShownProcess {
  readonly id: number;
  readonly user: number;
  readonly group: number;
  readonly executable: string;
  readonly arguments: readonly (string | Uint8Array)[];
  readonly environment: readonly (string | Uint8Array)[];
}

/** File systems as every process is shown them: where, of which kind, st_dev. */
interface Mount {
  readonly path: string;
  readonly type: string;
  readonly source: string;
  readonly device: number;
}

function mounts(rootDevice: number): readonly Mount[] {
  return [
    { path: "/", type: "ext4", source: "/dev/root", device: rootDevice },
    { path: "/proc", type: "proc", source: "proc", device: MADE_DEVICE },
    { path: "/dev", type: "devtmpfs", source: "udev", device: MADE_DEVICE },
    { path: "/dev/shm", type: "tmpfs", source: "tmpfs", device: SHARED_MEMORY_DEVICE },
  ];
}

/** As the kernel writes numbers of devices. */
function numbersOf(device: number): string {
  const major = Math.floor(device / 256) & 0xfff;
  return `${major}:${(device & 0xff) | ((device >>> 12) & 0xff_ff00)}`;
}

function text(...lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${line}\n`).join(""), "latin1");
}

/** Strings that each end in a NUL. */
function words(list: readonly (string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(list.map((word) => Buffer.concat([Buffer.from(word), Buffer.alloc(1)])));
}

/** Files of /proc/self by name. */
export function processTexts(process: ShownProcess, rootDevice: number): Readonly<Record<string, () => Uint8Array>> {
  const { id } = process;
  const mounted = mounts(rootDevice);
  const name = (process.executable.split("/").at(-1) ?? "").slice(0, 15);
  return {
    cmdline: () => words(process.arguments),
    comm: () => text(name),
    environ: () => words(process.environment),
    maps: () => new Uint8Array(0),
    mountinfo: () =>
      text(
        ...mounted.map(({ path, type, source, device }, index) => {
          return `${20 + index} ${index === 0 ? 1 : 20} ${numbersOf(device)} / ${path} rw,relatime - ${type} ${source} rw`;
        }),
      ),
    mounts: () => text(...mounted.map(({ path, type, source }) => `${source} ${path} ${type} rw,relatime 0 0`)),
    stat: () => text(`${id} (${name}) R ${id - 1} ${id} ${id} 0 -1 0${" 0".repeat(43)}`),
    statm: () => text("1024 512 256 128 0 512 0"),
    status: () =>
      text(
        `Name:\t${name}`,
        "State:\tR (running)",
        ...["Tgid", "Pid"].map((field) => `${field}:\t${id}`),
        `PPid:\t${id - 1}`,
        `Uid:\t${Array(4).fill(process.user).join("\t")}`,
        `Gid:\t${Array(4).fill(process.group).join("\t")}`,
        "Threads:\t1",
      ),
  };
}

/** Files of /proc by path. */
export const MACHINE_TEXTS: Readonly<Record<string, () => Uint8Array>> = {
  cpuinfo: () =>
    text(
      ...["processor\t: 0", "vendor_id\t: GenuineIntel", "cpu family\t: 6", "model\t\t: 1", "model name\t: virtual"],
      ...["cpu MHz\t\t: 1000.000", "cpu cores\t: 1", "flags\t\t: fpu cx8 cmov mmx sse sse2", "bogomips\t: 2000.00", ""],
    ),
  filesystems: () => text("nodev\tproc", "nodev\ttmpfs", "\text4"),
  loadavg: () => text("0.00 0.00 0.00 1/1 4242"),
  meminfo: () =>
    text(
      ...[`MemTotal:       ${MEMORY_KIB} kB`, `MemFree:        ${MEMORY_KIB / 2} kB`],
      ...[`MemAvailable:   ${MEMORY_KIB / 2} kB`, "Buffers:               0 kB", "Cached:                0 kB"],
      ...["SwapTotal:             0 kB", "SwapFree:              0 kB"],
    ),
  stat: () => text("cpu  0 0 0 0 0 0 0 0 0 0", "cpu0 0 0 0 0 0 0 0 0 0 0", "ctxt 0", "btime 0", "processes 1"),
  uptime: () => text(`${UPTIME_SECONDS}.00 ${UPTIME_SECONDS}.00`),
  version: () => text("Linux version 6.1.0 (tangent) #1 SMP"),
  "sys/kernel/hostname": () => text("localhost"),
  "sys/kernel/osrelease": () => text("6.1.0"),
  "sys/kernel/ostype": () => text("Linux"),
  "sys/kernel/pid_max": () => text("32768"),
  "sys/vm/overcommit_memory": () => text("0"),
};
