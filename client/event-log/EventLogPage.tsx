import { Button } from '@mantine/core'
import { IconFileUnknown, IconLock } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { Page } from '#client/ui/Page.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { counted } from '#client/ui/text/count.ts'
import { BrowseMode } from './browse/BrowseMode.tsx'
import { FileActions } from './sandbox/FileActions.tsx'
import { LiveMode } from './live/LiveMode.tsx'
import { ReplayMode } from './replay/ReplayMode.tsx'
import { closeFile, sandbox } from './sandbox/sandbox.state.ts'
import { type Source, server, SourceContext } from './source.ts'
import { useAddress, type Mode, modes } from './useAddress.ts'
import classes from './modes.module.css'
import tabs from './ModeTabs.module.css'

/** The event log: live, filtered, or replayed. */
export function EventLogPage() {
  const address = useAddress()
  const { file } = useSnapshot(sandbox)
  const mode = file && address.mode === 'live' ? 'browse' : address.mode
  const title = 'Event log'
  return (
    <RoleGuard needs="events.see" otherwise={<NotPermitted title={title} />}>
      <Page
        title={title}
        actions={<FileActions address={{ ...address, mode }} isSandbox={file !== undefined} />}
        tabs={<ModeTabs mode={mode} isSandbox={file !== undefined} show={address.show} />}
      >
        <SourceContext value={(file?.source as Source | undefined) ?? server}>
          <div className={classes.room}>
            {file && <OpenFile name={file.name} events={file.events} />}
            {mode === 'live' && <LiveMode address={address} />}
            {mode === 'browse' && <BrowseMode key={file?.name} address={address} />}
            {mode === 'replay' && <ReplayMode address={address} />}
          </div>
        </SourceContext>
      </Page>
    </RoleGuard>
  )
}

function NotPermitted({ title }: { title: string }) {
  return (
    <Page title={title}>
      <Notice icon={IconLock}>Only administrators can open the event log.</Notice>
    </Page>
  )
}

/** Notice that the events are from a local file, which is not uploaded. */
function OpenFile({ name, events }: { name: string; events: number }) {
  return (
    <div className={classes.file}>
      <IconFileUnknown size={16} stroke={1.5} aria-hidden />
      <output className="grow">
        <strong>{name}</strong>
        {`: ${counted(events, 'event')} from a file, in this browser only. Nothing is sent to the server.`}
      </output>
      <Button variant="default" size="compact-sm" onClick={closeFile}>
        Close the file
      </Button>
    </div>
  )
}

const titles: Record<Mode, string> = { live: 'Live', browse: 'Browse', replay: 'Replay' }

type ModeTabsProps = { mode: Mode; isSandbox: boolean; show: (mode: Mode) => void }

/** Tabs of the modes. A file has no live mode. */
function ModeTabs({ mode, isSandbox, show }: ModeTabsProps) {
  return (
    <nav className={tabs.tabs} aria-label="Event log">
      {modes
        .filter((one) => !isSandbox || one !== 'live')
        .map((one) => (
          <button
            key={one}
            type="button"
            className={tabs.tab}
            aria-current={one === mode ? 'page' : undefined}
            onClick={() => show(one)}
          >
            {titles[one]}
          </button>
        ))}
    </nav>
  )
}
