const heights = [10, 22, 38, 64, 46, 82, 112, 74, 96, 58, 34, 50, 28, 42, 66, 88, 54, 70, 40, 24, 32, 18, 12, 8]

/** A voice, drawn: decoration only. */
export function Voice() {
  return (
    <svg className="voice" aria-hidden="true" viewBox="0 0 380 120" width="380" height="120">
      {heights.map((height, index) => {
        const x = 8 + index * 16
        const half = height / 2
        return <path key={x} d={`M${x} ${60 - half}V${60 + half}`} strokeWidth="5" strokeLinecap="round" />
      })}
    </svg>
  )
}
