import type { Server } from '@modelcontextprotocol/server'
import type { RunCall } from './run-call.ts'

const counts = new WeakMap<Server, number>()

/** Counts the calls of a connection while they run. */
export function countCalls(connection: Server, runCall: RunCall): RunCall {
  const add = (change: 1 | -1) => counts.set(connection, (counts.get(connection) ?? 0) + change)
  return (...call) => {
    add(1)
    return runCall(...call).finally(() => add(-1))
  }
}

/** Whether a client waits for the result of a call on this connection. */
export function hasCallInFlight(connection: Server): boolean {
  return (counts.get(connection) ?? 0) > 0
}
