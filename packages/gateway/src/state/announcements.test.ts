import { expect, it, vi } from 'vitest'
import { announce, onAnnounced } from './announcements.ts'
import { createMemoryState } from './memory-state.ts'

it('tells what has changed, to those who want to know', async () => {
  const state = createMemoryState()
  const [onKeys, onApprovals] = [vi.fn(), vi.fn()]
  const stop = await onAnnounced(state, 'keys', onKeys)
  await onAnnounced(state, 'approvals', onApprovals)
  await announce(state, 'keys', 'key_1')
  await announce(state, 'keys')
  expect(onKeys.mock.calls).toEqual([['key_1'], ['']])
  expect(onApprovals).not.toHaveBeenCalled()
  stop()
  await announce(state, 'keys')
  expect(onKeys).toHaveBeenCalledTimes(2)
})
