"""What happens next? The loop, its nodes and drivers, and ``Autograph``, which developers hold."""
