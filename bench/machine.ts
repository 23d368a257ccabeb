import { cpus, loadavg, totalmem } from 'node:os'

/** The machine a report was measured on. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGigabytes: number
  readonly node: string
  readonly platform: string
  /** Load average of the minute before the run; 0 on systems that do not report it. */
  readonly loadBefore: number
}

export function thisMachine(): Machine {
  const cores = cpus()
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    loadBefore: Math.round(loadavg()[0]! * 10) / 10,
  }
}

/** Whether the machine was too busy for reliable times. */
export function isBusy({ cores, loadBefore }: Machine): boolean {
  return loadBefore > cores / 2
}

/** The first lines of a report: date, machine, versions, and a warning if the machine was busy. */
export function measuredOn(
  date: string,
  machine: Machine,
  versions: Readonly<Record<string, string>> = {},
): string[] {
  const { cpu, cores, memoryGigabytes, node, platform, loadBefore } = machine
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `${date.slice(0, 10)}, ${cpu}, ${cores} cores, ${memoryGigabytes} GB, node ${node}, ${platform}` +
      `${packages.length > 0 ? `; ${packages.join(', ')}` : ''}.`,
    ...(isBusy(machine)
      ? [`The machine was busy (load ${loadBefore}): compare the times, but don't quote them.`]
      : []),
  ]
}
