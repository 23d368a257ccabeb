import { Fragment, type JSX } from 'preact'

/** A name that goes on in the next line where its words meet, if it must. */
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
