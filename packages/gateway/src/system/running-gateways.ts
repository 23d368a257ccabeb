import { rmSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { atomicWrite, PRIVATE_MODE } from './atomic-write.ts'
import { isAlive } from './is-alive.ts'

/** A gateway of this user that other processes can reach over HTTP. */
export interface RunningGateway {
  readonly pid: number
  /** Its origin, such as `http://127.0.0.1:7777`. Never contains the token. */
  readonly url: string
  readonly configFile: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly version: string
}

/**
 * Lists this process as a running gateway. Returns a function that removes the entry; it is synchronous
 * so that it also works while the process exits. Never rejects: a gateway must start even if other
 * commands can't find it.
 *
 * @param folder the folder of all entries, one file per process
 */
export async function registerGateway(
  folder: string,
  gateway: RunningGateway,
): Promise<() => void> {
  const file = join(folder, `${gateway.pid}.json`)
  try {
    await atomicWrite(file, JSON.stringify(gateway), { mode: PRIVATE_MODE })
  } catch {
    return () => {}
  }
  return () => {
    try {
      rmSync(file, { force: true })
    } catch {
      // The next list removes it.
    }
  }
}

/** The gateways whose processes are alive, latest first. Removes entries that a crash has left behind. */
export async function runningGateways(folder: string): Promise<RunningGateway[]> {
  const names = await readdir(folder).catch(() => [])
  const entries = await Promise.all(
    names
      .filter((name) => /^\d+\.json$/.test(name))
      .map(async (name) => {
        const file = join(folder, name)
        const entry = await readEntry(file)
        if (entry && isAlive(entry.pid)) return entry
        await rm(file, { force: true }).catch(() => {})
        return undefined
      }),
  )
  return entries
    .filter((entry) => entry !== undefined)
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
}

async function readEntry(file: string): Promise<RunningGateway | undefined> {
  try {
    const entry: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isRunningGateway(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

function isRunningGateway(value: unknown): value is RunningGateway {
  if (typeof value !== 'object' || value === null) return false
  const { pid, url, configFile, startedAt, version } = value as Record<string, unknown>
  const texts = [url, configFile, startedAt, version]
  return Number.isInteger(pid) && texts.every((text) => typeof text === 'string')
}
