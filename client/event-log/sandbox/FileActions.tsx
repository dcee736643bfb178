import { Button } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { eventLog } from '#events/event-log/calls.ts'
import { withBase } from '#client/app/place/basePath.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import type { EventAddress } from '#client/event-log/useAddress.ts'
import { openFile } from './sandbox.state.ts'

type FileActionsProps = { address: EventAddress; isSandbox: boolean }

/** Export of the filtered events, and import of a file. Disabled during replay. */
export function FileActions({ address: { mode, filters, show }, isSandbox }: FileActionsProps) {
  const input = useRef<HTMLInputElement>(null)
  const isReplay = mode === 'replay'
  const title = isReplay ? 'Not available during a replay' : undefined
  const open = async (file: File | undefined) => {
    if (!file) return
    await openFile(file)
    show('browse')
  }
  return (
    <>
      {!isSandbox && (
        <Button
          {...(isReplay ? { disabled: true } : { component: 'a', href: exportAddress(filters), download: true })}
          variant="default"
          title={title}
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
        >
          Export
        </Button>
      )}
      <Button
        variant="default"
        disabled={isReplay}
        title={title}
        leftSection={<IconUpload size={16} stroke={1.5} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        Import
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".ndjson,.jsonl,application/x-ndjson"
        aria-label="File of events"
        onChange={({ currentTarget }) => {
          void open(currentTarget.files?.[0]).catch(toastFailure)
          currentTarget.value = ''
        }}
      />
    </>
  )
}

function exportAddress({ type, ...filters }: EventAddress['filters']): string {
  const params = Object.entries(filters).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(params.map(([name, value]): [string, string] => [name, String(value)]))
  for (const one of type) search.append('type', one)
  return withBase(`/api${eventLog.export.path}${search.size > 0 ? `?${search}` : ''}`)
}
