import { type ChildProcess, spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { createLineSplitter } from '../../protocol/line-splitter.ts'
import { createLineWriter } from '../../protocol/line-writer.ts'
import { childEnvironment } from './child-environment.ts'
import { endProcess, endWithUs, ownGroup, signal } from './end-process.ts'
import { createLastLines } from './last-lines.ts'
import { planSpawn } from './plan-spawn.ts'

export interface StdioTransportOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** The longest message taken. @default 64 MB */
  readonly maxLineBytes?: number
}

export interface StdioTransport extends Transport {
  readonly pid: number | undefined
  /** The last lines it wrote to stderr. */
  readonly lastWords: readonly string[]
  /** Lines on stdout that were no messages. */
  readonly strayLines: number
  /** How the process ended, if it has. */
  readonly ending: string | undefined
  /** A message was too long and was skipped; `id` is that of the answer, if it could be read. */
  onskipped?: (id: number | undefined, bytes: number) => void
}

// what is still in the pipes when a process ends is worth a moment, but not more
const DRAIN_MS = 500

/**
 * A child process that speaks one JSON message a line, as the SDK sees a transport.
 *
 * Unlike the SDK's own it takes messages of any length up to a limit, survives one that is longer,
 * and ends the whole family of processes.
 */
export function createStdioTransport({
  command,
  args,
  env,
  cwd,
  maxLineBytes = 64 * 1024 * 1024,
}: StdioTransportOptions): StdioTransport {
  const words = createLastLines()
  let child: ChildProcess | undefined
  let write: ((line: string) => void) | undefined
  let strayLines = 0
  let ending: string | undefined
  let closed = false

  function close(): void {
    if (closed) return
    closed = true
    transport.onclose?.()
  }

  const stdout = createLineSplitter({
    maxBytes: maxLineBytes,
    onLine(line) {
      const message = readMessage(line)
      if (message) transport.onmessage?.(message)
      else if (line.trim() !== '') strayLines++
    },
    onSkipped(head, tail, bytes) {
      transport.onskipped?.(readId(head, tail), bytes)
    },
  })

  const transport: StdioTransport = {
    get pid() {
      return child?.pid
    },
    get lastWords() {
      return words.lines
    },
    get strayLines() {
      return strayLines
    },
    get ending() {
      return ending
    },

    start() {
      return new Promise((resolve, reject) => {
        const environment = childEnvironment(env)
        const plan = planSpawn({ command, args, cwd, env: environment })
        child = spawn(plan.command, plan.args, {
          env: environment,
          ...(cwd !== undefined && { cwd }),
          stdio: 'pipe',
          shell: false,
          detached: ownGroup,
          windowsHide: true,
          windowsVerbatimArguments: plan.windowsVerbatimArguments,
        })
        const started = child
        write = createLineWriter(started.stdin!)
        started.once('spawn', () => {
          endWithUs(started)
          resolve()
        })
        started.on('error', (error) => {
          reject(error)
          close()
        })
        started.once('exit', (code, signalName) => {
          ending = signalName ? `was ended by ${signalName}` : `ended with exit code ${code}`
          // a grandchild that holds the pipes would keep the end from being seen
          signal(started, 'SIGKILL')
          setTimeout(close, DRAIN_MS).unref()
        })
        started.once('close', close)
        started.stdout!.on('data', (chunk: Buffer) => stdout.push(chunk))
        started.stderr!.setEncoding('utf8').on('data', (text: string) => words.push(text))
        // a broken pipe is told by the end of the process
        for (const pipe of started.stdio) pipe?.on('error', () => {})
      })
    },

    send(message) {
      if (closed || !child?.stdin?.writable || !write) {
        return Promise.reject(new Error('The process has ended.'))
      }
      write(JSON.stringify(message))
      return Promise.resolve()
    },

    async close() {
      if (child) await endProcess(child)
      close()
    },
  }
  return transport
}

function readMessage(line: string): JSONRPCMessage | undefined {
  // most stray lines are told from messages by their first letter
  const first = line.charCodeAt(0)
  if (first !== 0x7b && first !== 0x20 && first !== 0x09) return undefined
  try {
    const message: unknown = JSON.parse(line)
    const isMessage = typeof message === 'object' && message !== null && 'jsonrpc' in message
    return isMessage ? (message as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}

// only a first or last field can be told from one inside the result
const ID_AT_HEAD = /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(\d+)\s*,/
const ID_AT_TAIL = /[,{]\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/

function readId(head: string, tail: string): number | undefined {
  const found = ID_AT_HEAD.exec(head) ?? ID_AT_TAIL.exec(tail)
  return found ? Number(found[1]) : undefined
}
