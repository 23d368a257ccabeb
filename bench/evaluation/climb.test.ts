import { expect, it } from 'vitest'
import { climb, type Knob } from './climb.ts'

const knob = (name: 'x' | 'y'): Knob<{ x: number; y: number }> => ({
  name,
  steps: (at) => [-1, 1].map((step) => ({ ...at, [name]: at[name] + step })),
})
const hill = ({ x, y }: { x: number; y: number }) => -((x - 3) ** 2) - (y + 2) ** 2

it('climbs to the maximum one step at a time', () => {
  expect(climb({ x: 0, y: 0 }, [knob('x'), knob('y')], hill, 20)).toEqual({ x: 3, y: -2 })
})

it('stops after the given number of rounds', () => {
  expect(climb({ x: 0, y: 0 }, [knob('x'), knob('y')], hill, 1)).toEqual({ x: 1, y: -1 })
})
