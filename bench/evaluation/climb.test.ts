import { expect, it } from 'vitest'
import { type ClimbStep, climb, type Knob } from './climb.ts'

const knob = (name: 'x' | 'y'): Knob<{ x: number; y: number }> => ({
  name,
  steps: (at) => [-1, 1].map((step) => ({ ...at, [name]: at[name] + step })),
})
const hill = ({ x, y }: { x: number; y: number }) => -((x - 3) ** 2) - (y + 2) ** 2

it('climbs to the maximum one step at a time', () => {
  expect(climb({ x: 0, y: 0 }, [knob('x'), knob('y')], hill, { rounds: 20 })).toEqual({
    x: 3,
    y: -2,
  })
})

it('stops after the given number of rounds', () => {
  expect(climb({ x: 0, y: 0 }, [knob('x'), knob('y')], hill, { rounds: 1 })).toEqual({
    x: 1,
    y: -1,
  })
})

it('reports each knob it has tried', () => {
  const steps: ClimbStep[] = []
  climb({ x: 0, y: 0 }, [knob('x'), knob('y')], hill, {
    rounds: 1,
    report: (step) => steps.push(step),
  })
  expect(steps).toEqual([
    { round: 1, knob: 'x', score: -8 },
    { round: 1, knob: 'y', score: -5 },
  ])
})

it('leaves out changes that gain too little', () => {
  // From 0, the first step of x gains 5 and the first step of y gains 3.
  const options = { rounds: 1, leastGain: 4 }
  expect(climb({ x: 0, y: 0 }, [knob('x'), knob('y')], hill, options)).toEqual({ x: 1, y: 0 })
})
