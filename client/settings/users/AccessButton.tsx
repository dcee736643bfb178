import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { storages } from '#events/storages.ts'
import { type Access, limits } from '#events/users/limits.ts'
import type { User } from '#events/users/accounts.ts'
import { useRemote } from '#client/app/remote.ts'
import { PathInput } from '#client/parts/folder-picker/PathInput.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { momentText } from '#client/ui/text/moment.ts'
import { typedPath } from '#client/ui/text/path.ts'

/** Button that opens a dialog, which answers whether a user sees a path, and why. */
export function AccessButton({ user }: { user: User }) {
  const [isOpen, open] = useState(false)
  const label = `Access of ${user.name}`
  return (
    <>
      <ActionIcon aria-label={label} title={label} onClick={() => open(true)}>
        <IconListSearch size={16} stroke={1.5} />
      </ActionIcon>
      <Dialog title={label} opened={isOpen} onClose={() => open(false)}>
        <AccessOf user={user} />
      </Dialog>
    </>
  )
}

function AccessOf({ user: { id, name } }: { user: User }) {
  const { data } = useRemote(storages, { query: { size: 1_000, sort: 'NAME', direction: 'asc' } }, 'sources')
  const [storage, choose] = useState('')
  const [text, setText] = useState('/')
  const path = typedPath(text)
  const storageId = Number(storage)
  const isAsked = storage !== '' && path !== undefined
  const access = useRemote(
    limits.access,
    isAsked ? { params: { id }, query: { storageId, path } } : undefined,
    'limits',
  )
  return (
    <div className="stack gap-12 padded">
      <NativeSelect
        label="Storage"
        data={[
          { value: '', label: 'Choose a storage' },
          ...(data?.elements ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={storage}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <PathInput
        key={storage}
        volumeId={storage === '' ? undefined : storageId}
        text={text}
        onText={setText}
        onEnter={() => undefined}
        disabled={false}
      />
      {isAsked && (
        <RemoteContent remote={access}>{(found) => <output>{accessText(name, found)}</output>}</RemoteContent>
      )}
    </div>
  )
}

/** Answer in a sentence, with the rules that allow it and the last change of the limits. */
function accessText(user: string, { allowed, because, since }: Access): string {
  const reasons = because.map(({ group, ...reason }) => reasonText(user, reason) + (group ? ` (group ${group})` : ''))
  const answer = allowed
    ? `${user} sees this path: ${reasons.join('; ')}.`
    : `${user} doesn't see this path. Folders above visible ones are shown by name only.`
  return since === null ? answer : `${answer} Limits last changed ${momentText(since)}.`
}

function reasonText(user: string, { because, name }: Omit<Access['because'][number], 'group'>): string {
  switch (because) {
    case 'administrator':
      return 'administrators see everything'
    case 'everything':
      return 'nothing is limited'
    case 'project':
      return `it belongs to project ${name ?? ''}`
    case 'manager':
      return `${user} manages project ${name ?? ''}`
    case 'storage':
      return 'its storage is allowed'
    case 'folder':
      return `folder ${name ?? ''} is allowed`
  }
}
