import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { JsonSchema } from 'toolsearch'
import { bundleProgram } from '../../../../../testing/bundle-program.ts'
import { modulePath } from '../../system/child-program.fixtures.ts'

interface CheckCase {
  readonly schema: JsonSchema
  readonly value: unknown
}

/** Checks arguments in a thread of its own, so that a check that never ends fails a single test. */
export interface CheckingWorker {
  check(cases: readonly CheckCase[]): Promise<(readonly string[])[]>
  close(): Promise<unknown>
}

const program = `
  import { parentPort } from 'node:worker_threads'
  import { createValidateArguments } from ${JSON.stringify(modulePath('offering/validate-arguments'))}
  const validate = createValidateArguments()
  parentPort.on('message', (cases) => {
    parentPort.postMessage(cases.map(({ schema, value }) => validate(schema, value)))
  })
`

export function checkingWorker(): CheckingWorker {
  const worker = new Worker(bundleProgram(program), {
    eval: true,
    execArgv: ['--input-type=module'],
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
