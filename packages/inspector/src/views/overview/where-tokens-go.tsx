import type { JSX } from 'preact'
import type { Overview } from '../../api/contract.ts'
import { formatCount } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { useWidth } from '../../parts/use-width.ts'
import { layoutAreas } from './area-layout.ts'
import { Treemap } from './treemap.tsx'

const HEIGHT = 400

/** Every tool in every request, next to what the gateway lists instead, at the same scale. */
export function WhereTokensGo({ overview }: { readonly overview: Overview }): JSX.Element {
  const { cost, servers } = overview
  const [box, width] = useWidth<HTMLDivElement>()
  const { eagerWidth, listedWidth, listedHeight, isBelow } = layoutAreas(cost, width, HEIGHT)
  return (
    <Panel title="Where the tokens go" aside="area = tokens per request">
      <div ref={box} class="areas" data-below={isBelow || undefined}>
        {cost.eager === 0 ? (
          <Empty title="No tools yet">
            <p>Tools appear here as soon as a server reports them.</p>
          </Empty>
        ) : (
          <>
            <figure style={{ width: `${eagerWidth}px` }}>
              <Treemap cost={cost} servers={servers} width={eagerWidth} height={HEIGHT} />
              <figcaption>
                <b>{formatCount(cost.eager)}</b> if every tool were in every request
              </figcaption>
            </figure>
            <figure class="listed">
              <div class="listed-frame" style={isBelow ? {} : { height: `${HEIGHT}px` }}>
                <div
                  class="listed-box"
                  style={{ width: `${listedWidth}px`, height: `${listedHeight}px` }}
                />
              </div>
              <figcaption>
                <b>{formatCount(cost.listed)}</b> listed instead, at the same scale
              </figcaption>
            </figure>
          </>
        )}
      </div>
    </Panel>
  )
}
