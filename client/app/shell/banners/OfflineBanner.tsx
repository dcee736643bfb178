import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { live, retryNow } from '#client/app/live/live.state.ts'
import { session } from '#client/app/session.state.ts'
import { timeText } from '#client/ui/text/moment.ts'
import { useNow } from '#client/ui/values/clock.ts'
import { Banner } from './Banner.tsx'

/** Shown after a minute of silence, with the start of the outage and the next attempt. */
export function OfflineBanner() {
  const { phase } = useSnapshot(live)
  return phase === 'offline' ? <Lost /> : null
}

function Lost() {
  const { user } = useSnapshot(session)
  const { lastMessageAt, retryAt } = useSnapshot(live)
  const now = useNow()
  const seconds = retryAt === undefined ? 0 : Math.max(0, Math.ceil((retryAt - now) / 1_000))
  return (
    <Banner
      icon={IconPlugConnectedX}
      tone="critical"
      action={
        <Button variant="default" onClick={retryNow}>
          Retry now
        </Button>
      }
    >
      {user?.hasTooManyPages ? tooMany : 'Connection lost.'} Showing data as of {timeText(lastMessageAt)}.{' '}
      {retryAt === undefined ? 'Retrying' : `Retrying in ${seconds} s`}
    </Banner>
  )
}

const tooMany = 'You have too many pages of this product open. Close some to get live updates here.'
