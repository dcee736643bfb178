import type { DetailedVolume } from '#events/storages.ts'
import { usedShare } from '../parts/storages/volumeWords.ts'
import { Meter } from '../ui/Meter.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Size } from '../ui/Size.tsx'
import { Percent } from './Percent.tsx'
import { percentLevel } from './percentLevel.ts'
import classes from './SizeChart.module.css'

/** How full a storage is; its last tenth is the red zone. */
export function SizeChart({ volume }: { volume: DetailedVolume }) {
  const share = usedShare(volume)
  const { used, free, total } = volume
  return (
    <Panel title="Size Chart">
      {share === undefined || used === null || total === null ? (
        <p className={classes.unknown}>This storage does not tell its capacity.</p>
      ) : (
        <div className={classes.capacity}>
          <p className={classes.full}>
            <strong>
              <Percent share={share} />
            </strong>
            <span>
              <Size bytes={used} /> of <Size bytes={total} />
            </span>
          </p>
          <Meter share={share} label="Used capacity" level={percentLevel(share)} withRedZone />
          <p className={classes.zones}>
            <span>
              <Size bytes={free ?? Math.max(0, total - used)} /> free
            </span>
            <span className={classes.redWords}>Last 10% Available</span>
          </p>
        </div>
      )}
    </Panel>
  )
}
