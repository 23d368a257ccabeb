import { expect, it } from 'vitest'
import { chooseByHalves } from './choose-by-halves.ts'
import { weightKnobs } from './weight-knobs.ts'

const one = { name: 'one', half: 'one', group: 'english', weight: 1 } as const
const two = { name: 'two', half: 'two', group: 'english', weight: 1 } as const
const own = { name: 'own', half: 'two', group: 'own', weight: 1 } as const
const start = { shared: 1, specific: 1 }

/** Every set finds more with a larger `shared`; only half one gains from a larger `specific`. */
function score({ shared, specific }: typeof start, { half }: { half: string }) {
  const gain = half === 'one' ? specific - 1 : 1 - specific
  const recall = [0.5 + 0.1 * (shared - 1) + 0.1 * gain, 0.5]
  return { recallAt1: recall, recallAt5: recall }
}

const choose = (rounds: number) =>
  chooseByHalves({
    sets: [one, two, own],
    current: start,
    start,
    knobs: weightKnobs(start),
    rounds,
    score,
  })

it('judges each set with the weights chosen on the other half', () => {
  const { sets, heldOut, groups, halves } = choose(1)
  expect(halves.one.changes).toEqual(['shared 1 → 1.4', 'specific 1 → 1.4'])
  expect(halves.two.changes).toEqual(['shared 1 → 1.4', 'specific 1 → 0.7'])
  // The gain of "shared" carries over; that of "specific" is a loss on the other half.
  expect(sets.map(({ name, gain }) => [name, gain.before, Number(gain.after.toFixed(4))])).toEqual([
    ['one', 0.5, 0.505],
    ['two', 0.5, 0.5],
    ['own', 0.5, 0.5],
  ])
  expect(heldOut.one.after).toBeCloseTo(0.505, 12)
  expect(heldOut.all.after).toBeCloseTo((0.505 + 0.5 + 0.5) / 3, 12)
  expect(groups.map(({ group, sets: count }) => [group, count])).toEqual([
    ['english', 2],
    ['own', 1],
  ])
})

it('suggests only what both halves agree on', () => {
  const { agreed } = choose(1)
  expect(agreed.weights).toEqual({ shared: 1.4, specific: 1 })
  expect(agreed.gain.difference).toBeCloseTo(0.02, 12)
})

it('only measures without rounds', () => {
  const { halves, heldOut } = choose(0)
  expect(halves.one.changes).toEqual([])
  expect(heldOut.all).toMatchObject({ before: 0.5, after: 0.5, difference: 0 })
})

it('compares with the current weights, wherever it starts from', () => {
  const current = { shared: 2, specific: 1 }
  const { sets } = chooseByHalves({ sets: [one, two], current, start, knobs: [], rounds: 1, score })
  expect(sets.map(({ gain }) => [gain.before, gain.after])).toEqual([
    [0.55, 0.5],
    [0.55, 0.5],
  ])
})

it('compares with saved scores', () => {
  const baseline = { one: [0, 0], two: [0.5, 0.5], own: [1, 1] }
  const options = { current: start, start, knobs: [], rounds: 0, score, baseline }
  const { sets, heldOut } = chooseByHalves({ sets: [one, two, own], ...options })
  expect(sets.map(({ gain }) => gain.difference)).toEqual([0.5, 0, -0.5])
  expect(heldOut.all.difference).toBeCloseTo(0, 12)
})
