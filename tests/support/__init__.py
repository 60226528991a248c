"""What several tests share: bitwise comparison, and Hypothesis strategies for strided arrays."""
