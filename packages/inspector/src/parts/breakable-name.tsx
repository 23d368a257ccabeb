import { Fragment, type JSX } from 'preact'

/** A name that can wrap between its words. */
export function BreakableName({ name }: { readonly name: string }): JSX.Element {
  return (
    <>
      {name.split(/(?<=[_.-])(?=[^_.-])/).map((piece, at) => (
        <Fragment key={`${at} ${piece}`}>
          {at > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </>
  )
}
