/** Same shape as the icon of the product. */
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="7" fill="var(--accent-fill)" />
      <path
        d="M8 23V17M13.3 23V12M18.7 23V15M24 23V9"
        fill="none"
        stroke="var(--on-fill)"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  )
}
