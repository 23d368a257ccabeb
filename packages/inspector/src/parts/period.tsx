import type { JSX } from 'preact'
import { Segmented } from './segmented.tsx'

const periods = [
  { value: '1h', title: 'Hour', words: 'the last hour' },
  { value: '24h', title: 'Day', words: 'the last day' },
  { value: '7d', title: 'Week', words: 'the last week' },
  { value: '30d', title: '30 days', words: 'the last 30 days' },
] as const

export type PeriodValue = (typeof periods)[number]['value']

/** The period of a URL parameter, or the default. */
export function readPeriod(value: string | undefined, initial: PeriodValue): PeriodValue {
  return periods.find((each) => each.value === value)?.value ?? initial
}

/** `24h` → `the last day` */
export function periodWords(value: PeriodValue): string {
  return periods.find((each) => each.value === value)!.words
}

export interface PeriodPickerProps {
  readonly value: PeriodValue
  readonly onChange: (value: PeriodValue) => void
}

export function PeriodPicker({ value, onChange }: PeriodPickerProps): JSX.Element {
  return <Segmented label="Period" options={periods} value={value} onChange={onChange} />
}
