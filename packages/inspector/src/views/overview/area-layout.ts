import type { CostReport } from '../../api/contract.ts'

export interface AreaLayout {
  readonly eagerWidth: number
  readonly listedWidth: number
  readonly listedHeight: number
  /** The page is too narrow for two columns: the second area goes below the first. */
  readonly isBelow: boolean
}

const GAP = 16
/** Minimum width of the caption below the listed area. */
const CAPTION = 120
const NARROW = 480

/** Lays out two areas at the same scale: every tool, and what the gateway lists instead. */
export function layoutAreas(
  { eager, listed }: Pick<CostReport, 'eager' | 'listed'>,
  width: number,
  height: number,
): AreaLayout {
  const ratio = eager === 0 ? 0 : listed / eager
  if (width < NARROW) {
    const side = Math.round(Math.sqrt(ratio * width * height))
    const listedWidth = Math.min(width, side)
    const listedHeight = Math.round((ratio * width * height) / Math.max(1, listedWidth))
    return { eagerWidth: width, listedWidth, listedHeight, isBelow: true }
  }
  // The second area is at most as high as the first: if it does not fit as a square, it gets wider.
  const available = width - GAP
  const isSquare = ratio * (available - CAPTION) * height <= CAPTION ** 2
  const eagerWidth = Math.floor(
    isSquare ? available - CAPTION : available / (1 + Math.max(ratio, 0.18)),
  )
  const area = ratio * eagerWidth * height
  const listedWidth = Math.max(isSquare ? Math.sqrt(area) : available - eagerWidth, 3)
  const listedHeight = Math.max(3, Math.min(height, area / listedWidth))
  return {
    eagerWidth,
    listedWidth: Math.round(listedWidth),
    listedHeight: Math.round(listedHeight),
    isBelow: false,
  }
}
