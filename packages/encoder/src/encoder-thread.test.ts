import { Worker } from 'node:worker_threads'
import { createRemoteVectors } from 'toolsearch/rankers'
import { describe, expect, it } from 'vitest'
import { createEncoderThread } from './encoder-thread.ts'

/** A worker that returns the length of each text. The text "die" ends it, "throw" makes it fail. */
const SCRIPT = `
  const { parentPort } = require('node:worker_threads')
  parentPort.postMessage({ kind: 'ready', model: 'lengths' })
  parentPort.on('message', ({ id, texts }) => {
    if (texts.includes('die')) process.exit(7)
    if (texts.includes('throw')) throw new Error('out of luck')
    if (texts.includes('wait')) return
    parentPort.postMessage({ kind: 'vectors', id, vectors: texts.map((text) => [text.length]) })
  })
`
const UNUSABLE = `
  require('node:worker_threads').parentPort.postMessage({ kind: 'unusable', message: 'no weights' })
`

function counted(script: string): { start: () => Worker; starts: () => number } {
  let starts = 0
  return {
    start() {
      starts++
      return new Worker(script, { eval: true })
    },
    starts: () => starts,
  }
}

describe('createEncoderThread', () => {
  it('starts a worker with the first request and uses it for all', async () => {
    const { start, starts } = counted(SCRIPT)
    const thread = createEncoderThread({ start })
    expect(starts()).toBe(0)
    const answers = await Promise.all([
      thread.encode(['a', 'bc'], 'document'),
      thread.encode(['def'], 'query'),
      thread.model(),
    ])
    expect(answers).toEqual([[[1], [2]], [[3]], 'lengths'])
    expect(starts()).toBe(1)
    await thread.close()
  })

  it.each([
    ['ends', 'die', /exit code 7/],
    ['throws', 'throw', /out of luck/],
  ])(
    'rejects what a worker that %s has not answered, and starts another',
    async (_, text, reason) => {
      const { start, starts } = counted(SCRIPT)
      const thread = createEncoderThread({ start })
      const waiting = thread.encode(['wait'], 'document')
      const fatal = thread.encode([text], 'query')
      await expect(waiting).rejects.toThrow(reason)
      await expect(fatal).rejects.toThrow(reason)
      expect(await thread.encode(['abc'], 'query')).toEqual([[3]])
      expect(starts()).toBe(2)
      await thread.close()
    },
  )

  it('gives up after some restarts', async () => {
    const { start, starts } = counted(SCRIPT)
    const thread = createEncoderThread({ start, maxRestarts: 2 })
    for (const _ of [1, 2]) await expect(thread.encode(['die'], 'query')).rejects.toThrow(/stopped/)
    await expect(thread.encode(['die'], 'query')).rejects.toThrow(/stopped 3 times/)
    await expect(thread.encode(['fine'], 'query')).rejects.toThrow(/stopped 3 times/)
    expect(starts()).toBe(3)
  })

  it('does not start another worker if the weights cannot be used', async () => {
    const { start, starts } = counted(UNUSABLE)
    const thread = createEncoderThread({ start })
    await expect(thread.model()).rejects.toThrow('no weights')
    await expect(thread.encode(['a'], 'query')).rejects.toThrow('no weights')
    expect(starts()).toBe(1)
  })

  it('rejects if no worker can be started', async () => {
    const start = () => {
      throw new Error('no threads left')
    }
    const thread = createEncoderThread({ start })
    await expect(thread.encode(['a'], 'query')).rejects.toThrow(/no threads left/)
  })

  it('tells the worker that a request was cancelled', async () => {
    const { start } = counted(`
      const { parentPort } = require('node:worker_threads')
      const cancelled = []
      parentPort.on('message', ({ id, kind }) => {
        if (kind === 'cancel') cancelled.push(id)
        if (kind === 'query') parentPort.postMessage({ kind: 'vectors', id, vectors: [cancelled] })
      })
    `)
    const thread = createEncoderThread({ start })
    const controller = new AbortController()
    const cancelled = thread.encode(['slow'], 'document', controller.signal)
    controller.abort(new Error('too slow'))
    await expect(cancelled).rejects.toThrow('too slow')
    expect(await thread.encode(['a'], 'query')).toEqual([[1]])
    await thread.close()
  })

  it('rejects pending and later requests once it is closed', async () => {
    const { start } = counted(SCRIPT)
    const thread = createEncoderThread({ start })
    const waiting = expect(thread.encode(['wait'], 'query')).rejects.toThrow(/closed/)
    await thread.close()
    await waiting
    await expect(thread.encode(['a'], 'query')).rejects.toThrow(/closed/)
    await thread.close()
  })
})

describe('a thread that dies while it encodes documents', () => {
  it('loses one batch, which is requested again after the next query', async () => {
    const requests = new Int32Array(new SharedArrayBuffer(4))
    const start = () =>
      new Worker(
        `
        const { parentPort, workerData } = require('node:worker_threads')
        parentPort.on('message', ({ id, texts }) => {
          if (Atomics.add(workerData, 0, 1) === 1) process.exit(1)
          parentPort.postMessage({ kind: 'vectors', id, vectors: texts.map(() => [1]) })
        })
        `,
        { eval: true, workerData: requests },
      )
    const thread = createEncoderThread({ start })
    const errors: string[] = []
    const vectors = createRemoteVectors({
      embedder: {
        id: 'dying',
        maxBatch: 2,
        embed: async (texts, { kind }) => [...(await thread.encode(texts, kind))],
      },
      timeoutMs: 60_000,
      onError: ({ message }) => errors.push(message),
    })
    const texts = ['a', 'b', 'c', 'd', 'e', 'f']
    const arrived = new Set<string>()
    vectors.onVector((text) => arrived.add(text))
    for (const text of texts) vectors.embed(text)
    await expect.poll(() => arrived.size).toBe(4)
    expect(errors).toEqual([expect.stringContaining('stopped')])
    await vectors.prepare('query')
    await expect.poll(() => [...arrived].sort()).toEqual(texts)
    expect(errors).toHaveLength(1)
    await thread.close()
  })
})
