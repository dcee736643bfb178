import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'

/** Content for administrators; others see who can open it. */
export const OnlyAdministrators = ({ children }: { children: ReactNode }) => (
  <RoleGuard
    needs="policies.edit"
    otherwise={<Notice icon={IconLock}>Only administrators can see and change policies.</Notice>}
  >
    {children}
  </RoleGuard>
)
