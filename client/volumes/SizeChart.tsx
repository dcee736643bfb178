import type { CSSProperties } from 'react'
import type { DetailedVolume } from '#events/storages.ts'
import { usedShare } from '../parts/storages/volumeWords.ts'
import { Panel } from '../ui/Panel.tsx'
import { Size } from '../ui/Size.tsx'
import { percentText } from '../ui/text/count.ts'
import { Percent } from './Percent.tsx'
import { percentLevel } from './percentLevel.ts'
import classes from './Volume.module.css'

/** How full a storage is; its last tenth is the red zone. */
export function SizeChart({ volume }: { volume: DetailedVolume }) {
  const share = usedShare(volume)
  const { used, free, total } = volume
  return (
    <Panel title="Size Chart">
      {share === undefined || used === null || total === null ? (
        <p className={classes.sentence}>This storage does not tell its capacity.</p>
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
          <div
            className={classes.meter}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers draw the native meter each in their own way
            role="meter"
            aria-label="Used capacity"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.floor(Math.min(1, Math.max(0, share)) * 1000) / 10}
            aria-valuetext={percentText(share)}
            data-level={percentLevel(share)}
            style={{ '--share': Math.min(1, Math.max(0, share)) } as CSSProperties}
          >
            <div className={classes.fill} />
            <div className={classes.redZone} />
          </div>
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
