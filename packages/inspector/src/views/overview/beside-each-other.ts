import type { CostReport } from '../../api/contract.ts'

export interface Beside {
  readonly eagerWidth: number
  readonly listedWidth: number
  readonly listedHeight: number
  /** There is no room beside: the second stands under the first. */
  readonly isBelow: boolean
}

const GAP = 16
/** For the words under what is listed. */
const CAPTION = 120
const NARROW = 480

/** Two areas at one scale in a given width: every tool, and what is listed instead of them. */
export function besideEachOther(
  { eager, listed }: Pick<CostReport, 'eager' | 'listed'>,
  width: number,
  height: number,
): Beside {
  const ratio = eager === 0 ? 0 : listed / eager
  if (width < NARROW) {
    const side = Math.round(Math.sqrt(ratio * width * height))
    const listedWidth = Math.min(width, side)
    const listedHeight = Math.round((ratio * width * height) / Math.max(1, listedWidth))
    return { eagerWidth: width, listedWidth, listedHeight, isBelow: true }
  }
  // as high as the other at most, so what does not fit as a square grows in width
  const room = width - GAP
  const isSquare = ratio * (room - CAPTION) * height <= CAPTION ** 2
  const eagerWidth = Math.floor(isSquare ? room - CAPTION : room / (1 + Math.max(ratio, 0.18)))
  const area = ratio * eagerWidth * height
  const listedWidth = Math.max(isSquare ? Math.sqrt(area) : room - eagerWidth, 3)
  const listedHeight = Math.max(3, Math.min(height, area / listedWidth))
  return {
    eagerWidth,
    listedWidth: Math.round(listedWidth),
    listedHeight: Math.round(listedHeight),
    isBelow: false,
  }
}
