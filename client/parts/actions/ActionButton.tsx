import { ActionIcon, Popover } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { CurrentUser } from '#events/users/session.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { session, userMay } from '#client/app/session.state.ts'
import type { ActionTarget } from './actionTarget.ts'
import type { SelectionAction } from './selectionAction.ts'

type ActionButtonProps = {
  action: SelectionAction
  /** Computed at the click, because a selection may have very many entries. */
  target: () => ActionTarget
  disabled?: boolean
}

/** Button of an action. Hidden without its permission or its bundle. */
export function ActionButton({ action, target, disabled = false }: ActionButtonProps) {
  const user = useSnapshot(session).user as CurrentUser | undefined
  const { isNewest } = useActiveDate()
  const [opened, setOpened] = useState<ActionTarget>()
  const { label, icon: Icon, needs, bundle, surface, Content } = action
  if (!userMay(user, needs) || (bundle && !user?.bundles.includes(bundle))) return null
  const close = () => setOpened(undefined)
  const reason = action.disabledReason?.(target, { isNewest })
  const button = (
    <ActionIcon
      variant="subtle"
      aria-label={label}
      title={reason ?? label}
      disabled={disabled || reason !== undefined}
      onClick={() => setOpened(opened ? undefined : target())}
    >
      <Icon size={16} stroke={1.5} />
    </ActionIcon>
  )
  const content = opened && (
    <Suspense>
      <Content target={opened} onClose={close} />
    </Suspense>
  )
  if (surface === 'dialog')
    return (
      <>
        {button}
        {content}
      </>
    )
  return (
    <Popover opened={opened !== undefined} onChange={close} position="bottom-start" trapFocus withinPortal>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={label}>{content}</Popover.Dropdown>
    </Popover>
  )
}
