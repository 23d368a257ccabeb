import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Contender, isEcho } from './contender.ts'
import { everything, GATEWAYS } from './contenders.ts'
import type { SilentServerRow } from './gateway-report.ts'
import { launch } from './launch.ts'
import { untilAnswer } from './until-answer.ts'

const PROGRAM = fileURLToPath(new URL('./silent-server.js', import.meta.url))
const silent = { name: 'silent', command: process.execPath, args: [PROGRAM] }

const APART_MS = 2_000

/** Measures the gateways with a working server and one that never responds, all at the same time. */
export function measureSilentServer(folder: string, limitMs: number): Promise<SilentServerRow[]> {
  const gateways = GATEWAYS.filter(({ takesMany }) => takesMany)
  return Promise.all(
    gateways.map(async (contender, place) => {
      const { name, transport } = contender
      // Start one at a time, because starting uses the whole machine. Waiting can overlap.
      await new Promise((resolve) => setTimeout(resolve, place * APART_MS))
      try {
        return { name, transport, ...(await measure(contender, folder, limitMs)) }
      } catch (error) {
        return { name, transport, problem: (error as Error).message }
      }
    }),
  )
}

async function measure(
  contender: Contender,
  folder: string,
  limitMs: number,
): Promise<Omit<SilentServerRow, 'name' | 'transport'>> {
  const begin = performance.now()
  const options = { folder: join(folder, 'silent'), withinMs: limitMs }
  const target = await launch(contender, [silent, everything], options)
  const sinceStart = (ms: number) => target.startMs + ms
  try {
    const { client } = target
    const query = contender.search?.('echo back a message')
    const searched =
      query &&
      (await untilAnswer(limitMs - (performance.now() - begin), async () =>
        JSON.stringify(await client.request('tools/call', query)).includes('echo'),
      ))
    const called = await untilAnswer(limitMs - (performance.now() - begin), async () => {
      const call = await contender.call(client, 'everything', 'echo', { message: 'hello' })
      return isEcho(await client.request('tools/call', call), 'hello')
    })
    return {
      firstListMs: target.startMs,
      ...(searched !== undefined && { firstSearchMs: sinceStart(searched) }),
      firstCallMs: sinceStart((searched ?? 0) + called),
    }
  } finally {
    await target.end()
  }
}
