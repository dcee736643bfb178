import { reservedBytes, usedShare } from '#events/capacity.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { refusalFor } from '#client/app/session.state.ts'
import { DiskSpace } from '#client/parts/storages/DiskSpace.tsx'
import { Meter } from '#client/ui/values/Meter.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { meterLevel, Percent } from './Percent.tsx'
import classes from './SizeChart.module.css'

/** Usage of a storage; the last tenth of the meter is red. */
export function SizeChart({ volume }: { volume: DetailedVolume }) {
  const share = usedShare(volume)
  const reserved = reservedBytes(volume) ?? 0
  return (
    <Panel title="Capacity">
      {share === undefined ? (
        <p className="muted inset">{volume.limited ? refusalFor() : 'This storage does not report its capacity.'}</p>
      ) : (
        <div className="stack inset gap-8">
          <p className="flex wrap baseline between gap-4-12">
            <strong className={`figure ${classes.share}`}>
              <Percent share={share} />
            </strong>
            <DiskSpace disk={volume} />
          </p>
          <Meter share={share} label="Used capacity" level={meterLevel(share)} withRedZone />
          <p className="flex wrap baseline between muted small gap-4-12">
            <span>
              <Size bytes={volume.total ?? 0} /> total
              {reserved > 0 && (
                <>
                  , <Size bytes={reserved} /> reserved for the system
                </>
              )}
            </span>
            <span className="critical">Last 10% Available</span>
          </p>
        </div>
      )}
    </Panel>
  )
}
