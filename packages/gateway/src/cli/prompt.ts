import { createInterface } from 'node:readline/promises'

/** Asks the person at the terminal. */
export interface Prompt {
  /**
   * Asks a yes-or-no question until the answer is one of the two. Enter chooses the default. Rejects with
   * {@link InterruptedError} on Ctrl-C and at the end of the input.
   */
  confirm(question: string, isDefaultYes?: boolean): Promise<boolean>
  close(): void
}

/** The person pressed Ctrl-C or Ctrl-D. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly code = 'interrupted'
}

/** Whether there is a person to ask. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

export function createPrompt(): Prompt {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // answers may arrive before their question, for example pasted ones
  const waiting: string[] = []
  let isClosed = false
  let pending: { resolve(line: string): void; reject(error: Error): void } | undefined
  const end = () => {
    isClosed = true
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
    process.stderr.write('\n')
    lines.close()
  })
  lines.on('close', end)

  function nextLine(question: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (isClosed && waiting.length === 0) {
        reject(new InterruptedError())
        return
      }
      lines.setPrompt(question)
      const early = waiting.shift()
      if (early !== undefined) {
        process.stderr.write(`${question}${early}\n`)
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
    close: () => lines.close(),
  }
}
