import { createInterface } from 'node:readline/promises'
import type { Stdio } from './command.ts'

/** Asks the person at the terminal. */
export interface Prompt {
  /**
   * Asks a yes-or-no question until the answer is one of the two. Enter chooses the default. Rejects with
   * {@link InterruptedError} on Ctrl-C and at the end of the input.
   */
  confirm(question: string, isDefaultYes?: boolean): Promise<boolean>
  /** Settles with the task, or rejects with {@link InterruptedError} if the person presses Ctrl-C first. */
  during<T>(task: Promise<T>): Promise<T>
  close(): void
}

/** The person pressed Ctrl-C or Ctrl-D. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly code = 'interrupted'
}

/** Whether there is a person to ask. */
export function isInteractive({ input, error }: Stdio): boolean {
  return input.isTTY === true && error.isTTY === true
}

export function createPrompt({ input, error }: Stdio): Prompt {
  const lines = createInterface({ input, output: error })
  // answers may arrive before their question, for example pasted ones
  const waiting: string[] = []
  let isClosed = false
  const interrupted = new AbortController()
  let pending: { resolve(line: string): void; reject(error: Error): void } | undefined
  const end = () => {
    isClosed = true
    interrupted.abort()
    pending?.reject(new InterruptedError())
    pending = undefined
  }
  lines.on('line', (line) => {
    if (!pending) {
      waiting.push(line)
      return
    }
    pending.resolve(line)
    pending = undefined
  })
  lines.on('SIGINT', () => {
    error.write('\n')
    lines.close()
  })
  lines.on('close', end)

  function nextLine(question: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (isClosed && waiting.length === 0) {
        reject(new InterruptedError())
        return
      }
      // readline redraws its last line only
      const lastLine = question.slice(question.lastIndexOf('\n') + 1)
      error.write(question.slice(0, -lastLine.length))
      lines.setPrompt(lastLine)
      const early = waiting.shift()
      if (early !== undefined) {
        error.write(`${lastLine}${early}\n`)
        resolve(early)
        return
      }
      pending = { resolve, reject }
      lines.prompt()
    })
  }

  return {
    async confirm(question, isDefaultYes = false) {
      for (;;) {
        const answer = (await nextLine(`${question} ${isDefaultYes ? '[Y/n]' : '[y/N]'} `)).trim()
        if (answer === '') return isDefaultYes
        if (/^y(es)?$/i.test(answer)) return true
        if (/^no?$/i.test(answer)) return false
      }
    },
    during: (task) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(new InterruptedError())
        if (interrupted.signal.aborted) stop()
        else interrupted.signal.addEventListener('abort', stop, { once: true })
        task.then(resolve, reject)
      }),
    close: () => lines.close(),
  }
}
