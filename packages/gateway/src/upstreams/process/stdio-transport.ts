import { type ChildProcess, spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { MAX_MESSAGE_BYTES } from '../../protocol/bounded-parts.ts'
import { createLineSplitter } from '../../protocol/line-splitter.ts'
import { createLineWriter } from '../../protocol/line-writer.ts'
import { readMessageId } from '../../protocol/read-message-id.ts'
import { createPace } from '../../system/pace.ts'
import { childEnvironment } from './child-environment.ts'
import { endOnExit, endProcess, signal, useProcessGroups } from './end-process.ts'
import { planSpawn } from './plan-spawn.ts'

export interface StdioTransportOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** The maximum size of a message. @default 16 MB */
  readonly maxLineBytes?: number
  /** Removes secrets from a line of the log. @default keeps everything */
  readonly maskLog?: (line: string) => string
}

export interface StdioTransport extends Transport {
  readonly pid: number | undefined
  /** The last lines that the process wrote to stderr. */
  readonly logOutput: readonly string[]
  /** The number of lines on stdout that were not messages. */
  readonly strayLines: number
  /** How the process ended, such as `exited with code 1`, if it has. */
  readonly exitReason: string | undefined
  /** Called when a message exceeds the maximum size. `id` is the ID of the response, if it was found. */
  onskipped?: (id: number | undefined, bytes: number) => void
}

/** A server that leaves more than this unread does not work any more, and the rest would fill the memory. */
const MAX_UNREAD_BYTES = 2 * MAX_MESSAGE_BYTES
/** A server that writes more lines that are not messages is read at this pace. */
const STRAY_LINES_PER_SECOND = 1_000
// how long to read what is left in the pipes after the process has exited
const DRAIN_MS = 500

/**
 * An SDK transport to a child process that exchanges one JSON message per line.
 *
 * Unlike the SDK's own transport, it skips messages that are too large instead of failing, and ends
 * every process that the child has started.
 */
export function createStdioTransport({
  command,
  args,
  env,
  cwd,
  maxLineBytes = MAX_MESSAGE_BYTES,
  maskLog = (line) => line,
}: StdioTransportOptions): StdioTransport {
  const log = createLastLines(maskLog)
  let child: ChildProcess | undefined
  let write: ((line: string) => void) | undefined
  const pace = createPace(STRAY_LINES_PER_SECOND)
  let strayLines = 0
  let exitReason: string | undefined
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
      transport.onskipped?.(readMessageId(head, tail), bytes)
    },
  })

  const transport: StdioTransport = {
    get pid() {
      return child?.pid
    },
    get logOutput() {
      return log.lines
    },
    get strayLines() {
      return strayLines
    },
    get exitReason() {
      return exitReason
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
          detached: useProcessGroups,
          windowsHide: true,
          windowsVerbatimArguments: plan.windowsVerbatimArguments,
        })
        const started = child
        write = createLineWriter(started.stdin!)
        started.once('spawn', () => {
          endOnExit(started)
          resolve()
        })
        started.on('error', (error) => {
          reject(error)
          close()
        })
        started.once('exit', (code, signalName) => {
          exitReason ??= signalName ? `was killed by ${signalName}` : `exited with code ${code}`
          // a grandchild that keeps the pipes open would delay the "close" event
          signal(started, 'SIGKILL')
          setTimeout(close, DRAIN_MS).unref()
        })
        started.once('close', close)
        started.stdout!.on('data', (chunk: Buffer) => {
          const before = strayLines
          stdout.push(chunk)
          const wait = pace.take(strayLines - before)
          if (wait === 0) return
          started.stdout!.pause()
          setTimeout(() => started.stdout!.resume(), wait).unref()
        })
        started.stderr!.setEncoding('utf8').on('data', (text: string) => log.push(text))
        // ignore broken pipes: the exit of the process reports them
        for (const pipe of started.stdio) pipe?.on('error', () => {})
      })
    },

    send(message) {
      const unread = child?.stdin?.writableLength ?? 0
      if (unread > MAX_UNREAD_BYTES && !closed) {
        exitReason ??= 'stopped reading its input'
        void transport.close()
      }
      if (closed || exitReason !== undefined || !child?.stdin?.writable || !write) {
        return Promise.reject(new Error(`The process ${exitReason ?? 'has exited'}.`))
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
  // the first character rules out most lines that are not messages
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

const MAX_LOG_LINES = 50
const MAX_LOG_LINE_LENGTH = 2_000
// longer than a line that is kept, so that a secret at the cut is masked before it is cut
const MAX_UNFINISHED_LENGTH = 16_000

/** Keeps the last lines of a text that arrives in chunks. Masks secrets and truncates long lines. */
function createLastLines(mask: (line: string) => string): {
  readonly lines: readonly string[]
  push(text: string): void
} {
  const lines: string[] = []
  let unfinished = ''
  const shorten = (line: string) =>
    mask(line.slice(0, MAX_UNFINISHED_LENGTH)).slice(0, MAX_LOG_LINE_LENGTH)
  return {
    get lines() {
      return unfinished.trim() === '' ? [...lines] : [...lines, shorten(unfinished)]
    },
    push(text) {
      const pieces = (unfinished + text).split(/\r?\n/)
      unfinished = pieces.pop()!.slice(0, MAX_UNFINISHED_LENGTH)
      // a flood of lines need not be masked: only the last ones are kept
      for (const piece of pieces.slice(-MAX_LOG_LINES)) {
        if (piece.trim() !== '') lines.push(shorten(piece))
      }
      lines.splice(0, lines.length - MAX_LOG_LINES)
    },
  }
}
