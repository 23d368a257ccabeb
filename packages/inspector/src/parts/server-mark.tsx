import type { JSX } from 'preact'
import { useOverview } from '../overview-context.ts'
import { hueOf } from './hue-of.ts'

/** A server's name in its colour, which is the same in every view. */
export function ServerMark({ server }: { readonly server: string }): JSX.Element {
  const { value } = useOverview()
  return (
    <span class="server" data-hue={hueOf(server, value?.servers ?? [])}>
      {server}
    </span>
  )
}
