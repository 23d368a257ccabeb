import { setFlagsFromString } from 'node:v8'
import { expect, it, vi } from 'vitest'
import { tuneGarbageCollection } from './tune-garbage-collection.ts'

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }))

const server = (tools: number) => ({
  tools: Array.from({ length: tools }, (_, at) => ({ name: `t${at}` })),
})

it('optimizes for memory once there are 3,000 tools, and not before', () => {
  tuneGarbageCollection([server(1_000), server(1_000)])
  expect(setFlagsFromString).not.toHaveBeenCalled()
  tuneGarbageCollection([server(1_000), server(1_000), server(1_000)])
  expect(setFlagsFromString).toHaveBeenCalledWith('--optimize-for-size')
})
