import type { JSX } from 'preact'

const paths = {
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z',
  auto: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 0v12M10 5h2.5M10 8h3.5M10 11h2.5',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  back: 'M13 8H3M7 4 3 8l4 4',
  warning: 'M8 2 1.5 13.5h13L8 2Zm0 4.5v3.5M8 11.6v.6',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3l3.7 3.7',
  call: 'M3 3.5 8 8l-5 4.5M8.5 12.5h5',
  close: 'm4 4 8 8M12 4l-8 8',
} as const

export type IconName = keyof typeof paths

/** A decorative icon: the text next to it has the same meaning. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
