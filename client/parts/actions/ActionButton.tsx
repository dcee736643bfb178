import { Button } from '@mantine/core'
import { type ComponentType, Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import { planAction } from '#events/actions/plans.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { useLicence } from '#client/app/shell/useLicence.ts'
import type { ActionContentProps, ActionTarget, SelectionAction } from '#client/parts/selection/action.ts'
import type { ActionPopoverProps } from './ActionPopover.tsx'

type ActionButtonProps = {
  action: SelectionAction
  /** Computed at the click, because a selection may have very many entries. */
  target: () => ActionTarget
  disabled?: boolean
}

/** Button of an action. Hidden without its permission or its bundle. */
export function ActionButton({ action, target, disabled = false }: ActionButtonProps) {
  const user = useSnapshot(session).user as CurrentUser | undefined
  const isLicensed = useLicence()
  const { isNewest } = useActiveDate()
  const [opened, setOpened] = useState<ActionTarget>()
  const { label, icon: Icon, needs, bundle } = action
  if (!userMay(user, needs) || (action.surface === 'dialog' && !userMay(user, planAction)) || !isLicensed(bundle))
    return null
  const close = () => setOpened(undefined)
  const reason = action.disabledReason?.(target, { isNewest })
  const button = (
    <Button
      variant="subtle"
      size="compact-sm"
      className="fixed"
      leftSection={<Icon size={16} stroke={1.5} />}
      title={reason}
      disabled={disabled || reason !== undefined}
      onClick={() => setOpened(opened ? undefined : target())}
    >
      {label}
    </Button>
  )
  if (action.surface === 'popover')
    return (
      <LazyPopover load={() => loadPopover(action.load)} opens="dialog" content={{ label, target }}>
        {button}
      </LazyPopover>
    )
  const { Content } = action
  return (
    <>
      {button}
      {opened && (
        <Suspense>
          <Content target={opened} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

async function loadPopover(load: () => Promise<ComponentType<ActionContentProps>>) {
  const [{ ActionPopover }, Content] = await Promise.all([import('./ActionPopover.tsx'), load()])
  return (props: Omit<ActionPopoverProps, 'Content'>) => <ActionPopover {...props} Content={Content} />
}
