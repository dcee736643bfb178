import { Popover } from '@mantine/core'
import { type ComponentProps, cloneElement, useState } from 'react'
import { Link } from 'wouter'
import type { LiveState } from '#events/feeds/liveState.ts'
import { nowDate } from '#client/app/activeDate.ts'
import { linksAt, useLinks } from '#client/app/links.ts'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import { useStorageStates } from '#client/app/storageStates.ts'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'
import { commandsIn, liveSentences } from './liveWords.ts'
import classes from './LiveBadge.module.css'

type DetailsProps = { volumeId: number; live: LiveState }

/** Popover of a live storage, or of one that can't be live with the commands that change that. */
export function LiveDetails({ button, volumeId, live }: ComponentProps<PopoverContent<DetailsProps>>) {
  const [opened, open] = useState(false)
  const links = useLinks()
  const scan = useStorageStates().data?.find((state) => state.volumeId === volumeId)?.lastScan
  return (
    <Popover opened={opened} onChange={open} position="bottom-start" trapFocus>
      <Popover.Target>{cloneElement(button, { onClick: () => open(!opened) })}</Popover.Target>
      <Popover.Dropdown>
        <div className={classes.details}>
          {liveSentences(live, scan ?? null).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {commandsIn(live.reason).map((command) => (
            <CopyableText key={command} label="Command" text={command} />
          ))}
          <p className="row wrap gap-12">
            {live.state === 'LIVE' && (
              <Link href={linksAt(nowDate).fileManagement({ volumeId, path: '/' })} onClick={() => open(false)}>
                Show Now
              </Link>
            )}
            <Link href={links.help({ page: 'live-storages' })}>Help: Live storages</Link>
          </p>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
