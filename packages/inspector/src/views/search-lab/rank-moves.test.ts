import { describe, expect, it } from 'vitest'
import { describeMove, rankMoves } from './rank-moves.ts'

const list = (names: string) => [...names].map((name) => ({ name }))

describe('rankMoves', () => {
  it('compares the rank of each hit with the other list', () => {
    const moves = [...rankMoves(list('cabx'), list('abc'))]
    expect(moves.map(([name, move]) => `${name} ${describeMove(move)}`)).toEqual([
      'c 2 higher',
      'a 1 lower',
      'b 1 lower',
      'x only here',
    ])
  })
})
