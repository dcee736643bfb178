import { IconActivity } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { growingNow, type GrowingNow } from '#events/feeds/growingNow.ts'
import { nowDate } from '#client/app/activeDate.ts'
import { linksAt } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { compactCount, counted } from '#client/ui/text/count.ts'
import { exactSize, sizeText } from '#client/ui/text/size.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import classes from './GrowingNowCard.module.css'

/** Minutes over which growth is averaged. */
const minutes = 5

/** Folders of live storages that grow now, fastest first. Each leads to its present contents. */
export function GrowingNowCard() {
  const growing = useRemote(growingNow, { query: { minutes } }, 'live', 'volumes')
  useFailureToast(growing.error, { group: 'dashboard' })
  return (
    <Card
      title="What grows now"
      note={`Average of ${minutes} minutes`}
      remote={{ ...growing, loading: growing.loading && !growing.data }}
      skeleton={<Skeleton rows={3} height={36} />}
    >
      {({ folders }) =>
        folders.length === 0 ? (
          <Notice icon={IconActivity}>Nothing grows right now</Notice>
        ) : (
          <ul className={classes.rows}>
            {folders.map((folder) => (
              <Row key={`${folder.volumeId} ${folder.path}`} {...folder} />
            ))}
          </ul>
        )
      }
    </Card>
  )
}

function Row({ volumeId, volumeName, path, owner, bytesPerMinute, filesPerMinute }: GrowingNow) {
  const { base } = useSnapshot(sizeSetting)
  const { value, unit } = sizeText(bytesPerMinute, base)
  const files = Object.values(compactCount(Math.round(filesPerMinute)))
    .join(' ')
    .trim()
  return (
    <li>
      <Link
        className={classes.row}
        href={linksAt(nowDate).fileManagement({ volumeId, path })}
        title={`${exactSize(Math.round(bytesPerMinute))} and ${counted(Math.round(filesPerMinute), 'file')} a minute`}
      >
        <span className={`truncate strong ${classes.path}`}>{path}</span>
        <span className="ellipsis muted">{volumeName}</span>
        <span className={`ellipsis muted ${classes.owner}`}>{owner || 'Unknown owner'}</span>
        <span className={classes.rate}>
          {value} <span className="muted">{unit}/min</span>
        </span>
        <span className={`muted ${classes.files}`}>{files} files/min</span>
      </Link>
    </li>
  )
}
