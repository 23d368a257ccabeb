import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { JsonSchema } from 'toolsearch'

interface CheckCase {
  readonly schema: JsonSchema
  readonly value: unknown
}

/** Checks arguments in a thread of its own, so that a check that never ends fails a single test. */
export interface CheckingWorker {
  check(cases: readonly CheckCase[]): Promise<(readonly string[])[]>
  close(): Promise<unknown>
}

const module = new URL('../validate-arguments.ts', import.meta.url).href
const loader = import.meta.resolve('tsx/esm/api')
const program = `
  import { parentPort } from 'node:worker_threads'
  import { register } from ${JSON.stringify(loader)}
  register()
  const { createValidateArguments } = await import(${JSON.stringify(module)})
  const validate = createValidateArguments()
  parentPort.on('message', (cases) => {
    parentPort.postMessage(cases.map(({ schema, value }) => validate(schema, value)))
  })
`

export function checkingWorker(): CheckingWorker {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
    execArgv: ['--conditions=@toolsearch/source'],
  })
  return {
    async check(cases) {
      worker.postMessage(cases)
      const [answers] = await once(worker, 'message')
      return answers
    },
    close: () => worker.terminate(),
  }
}
