/** The thread of a script: strips the types, then runs the script in QuickJS. */

import { parentPort } from 'node:worker_threads'
import { createSandbox, type Sandbox } from './sandbox.ts'
import type { FromThread, ScriptEnd, ToThread } from './script-messages.ts'
import { stripTypes } from './strip-types.ts'

// QuickJS asks the thread for the time zone. Scripts must not depend on where the gateway runs.
Date.prototype.getTimezoneOffset = () => 0

const port = parentPort!
const send = (message: FromThread) => port.postMessage(message)
let sandbox: Sandbox | undefined

port.on('message', (message: ToThread) => {
  handle(message).then(
    (end) => (end ? sendEnd(end, false) : send({ kind: 'idle' })),
    ({ message }: Error) => sendEnd({ kind: 'failed', error: { message } }, true),
  )
})

function sendEnd(end: ScriptEnd, isBroken: boolean): void {
  send({ kind: 'ended', end, loggedChars: sandbox?.loggedChars() ?? 0, isBroken })
  // Frees its memory.
  sandbox = undefined
}

send({ kind: 'ready' })

async function handle(message: ToThread): Promise<ScriptEnd | undefined> {
  if (message.kind === 'settle') {
    return sandbox?.settle(message.call, message.isError, message.json)
  }
  sandbox = undefined
  const stripped = stripTypes(message.source)
  if ('problem' in stripped) return { kind: 'failed', error: stripped.problem }
  sandbox = await createSandbox({
    bounds: message.bounds,
    onCall: (call, name, json) => send({ kind: 'call', call, name, json }),
    onLog: (text) => send({ kind: 'log', text }),
  })
  return sandbox.run(stripped.body)
}
