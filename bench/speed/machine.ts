import { cpus, loadavg, totalmem } from 'node:os'

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGigabytes: number
  readonly node: string
  readonly platform: string
  /** How many processes wanted to run in the minute before; 0 where a system does not tell. */
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

/** Whether so much else was going on that times are too long and should not be kept. */
export function isBusy({ cores, loadBefore }: Machine): boolean {
  return loadBefore > cores / 2
}

/** What every report begins with: when, on what, and whether the times can be trusted. */
export function measuredOn(
  date: string,
  machine: Machine,
  versions: Record<string, string>,
): string[] {
  const { cpu, cores, memoryGigabytes, node, platform, loadBefore } = machine
  const versionList = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `${date.slice(0, 10)}, ${cpu}, ${cores} cores, ${memoryGigabytes} GB, node ${node}, ${platform}; ` +
      `${versionList.join(', ')}.`,
    ...(isBusy(machine)
      ? [`The machine was busy (load ${loadBefore}): compare, but do not quote the times.`]
      : []),
  ]
}
