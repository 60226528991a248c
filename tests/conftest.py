"""Settings of the whole test run: Hypothesis without a deadline, since these machines are noisy."""

from hypothesis import HealthCheck, settings

settings.register_profile("wherry", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)
settings.load_profile("wherry")
